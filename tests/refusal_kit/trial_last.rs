//! A fifth set, written after the fourth was mended for: 10 refusals and 10 look-alikes in each of the four languages. At
//! first sight 30 of the 40 refusals were called one, and 1 of the 40 others.

use super::four::Sentences;

#[rustfmt::skip]
pub(crate) const VI: Sentences = ("vi", &[
    "Em có tra lại mà chưa thấy tài liệu nào nói về vụ này ạ.",
    "Bên em chưa công bố lịch khai trương nên em chưa trả lời được ạ.",
    "Phần phụ cấp xăng xe thì sổ tay không nhắc tới.",
    "Mình k rành vụ này lắm, bạn nhắn fanpage giúp mình nha.",
    "Không có đủ thông tin để đưa ra câu trả lời chính xác.",
    "Tôi không thể dự đoán giá vàng ngày mai.",
    "Xin lỗi, tôi chưa hiểu và cũng không tìm thấy nội dung liên quan.",
    "Tài liệu đính kèm chỉ mô tả cách cài đặt, không đề cập đến chi phí.",
    "Chưa rõ ạ, để em hỏi lại kho.",
    "Nguồn dữ liệu hiện tại không đủ để xác nhận điều bạn hỏi.",
], &[
    "Không, thú cưng không được lên tàu.",
    "Khách hàng quên mật khẩu không thể tự đặt lại qua tổng đài.",
    "Xin lỗi anh, hiện tại quầy đã đóng cửa; quầy mở lại lúc 9 giờ.",
    "Giá niêm yết chưa bao gồm thuế VAT 10%.",
    "Nếu chưa rõ mã sản phẩm, xem tem dán dưới đáy máy.",
    "Công ty không hoàn tiền cho thẻ quà tặng.",
    "Nhân viên không được cung cấp thông tin lương cho đồng nghiệp.",
    "Không ai dưới 18 tuổi được mua rượu tại cửa hàng.",
    "Biên lai không ghi tên người mua vẫn hợp lệ.",
    "Học viên không trả lời đủ 10 câu sẽ phải thi lại.",
]);

#[rustfmt::skip]
pub(crate) const EN: Sentences = ("en", &[
    "I double-checked and no document talks about this.",
    "The opening date hasn't been announced, so I can't answer yet.",
    "As for fuel allowance, the handbook doesn't go into it.",
    "idk much about that, maybe dm our page",
    "There's too little to go on for an accurate answer.",
    "I can't predict tomorrow's gold price.",
    "Sorry, I didn't get that and couldn't find related content.",
    "The attachment covers installation only; costs aren't mentioned.",
    "Not certain yet, I'll ask the warehouse.",
    "The current data sources do not suffice to confirm what you ask.",
], &[
    "No, pets can't travel on the train.",
    "Customers who forgot their password cannot reset it through the hotline.",
    "Sorry, the counter is closed; it opens again at 9.",
    "The listed price does not include 10% VAT.",
    "If you're unsure of the product number, look at the label underneath.",
    "The company does not refund gift cards.",
    "Staff are not permitted to tell colleagues their salary.",
    "No one under 18 may buy alcohol in the shop.",
    "A receipt that does not state the buyer's name is still valid.",
    "Learners who don't answer all 10 questions must retake the test.",
]);

#[rustfmt::skip]
pub(crate) const ZH: Sentences = ("zh", &[
    "我又查了一遍，还是没看到相关文件。",
    "开业时间尚未公布，所以我暂时答不了。",
    "油补这块，员工手册没提。",
    "我不太熟这个，你去问问公众号吧。",
    "缺乏足够信息，无法给出准确答案。",
    "我无法预测明天的金价。",
    "抱歉，我没听懂，也没找到相关内容。",
    "附件仅说明安装方法，未涉及费用。",
    "还不清楚呢，我先问问仓库。",
    "目前的数据来源不足以证实您所问之事。",
], &[
    "不行，宠物不能上火车。",
    "忘记密码的用户不能通过客服热线重置。",
    "不好意思，柜台已经关了，9点再开。",
    "标价不含10%的增值税。",
    "如果不清楚产品编号，请看机身底部的标签。",
    "公司不对礼品卡退款。",
    "员工不得向同事透露工资信息。",
    "未满18岁者不得在本店购买酒类。",
    "没有写购买人姓名的收据仍然有效。",
    "没答满10题的学员需要重考。",
]);

#[rustfmt::skip]
pub(crate) const TH: Sentences = ("th", &[
    "ลองค้นแล้วแต่ไม่มีเอกสารไหนพูดถึงเรื่องนี้เลยครับ",
    "ยังไม่มีกำหนดวันเปิดสาขาใหม่ในข้อมูลที่มี จึงตอบไม่ได้ค่ะ",
    "เรื่องค่าน้ำมันรถ คู่มือไม่ได้เขียนไว้",
    "ไม่ค่อยรู้เรื่องนี้เลย ลองทักเพจดูนะ",
    "ข้อมูลไม่พอที่จะให้คำตอบที่ถูกต้อง",
    "ผมไม่สามารถคาดการณ์ราคาทองพรุ่งนี้ได้",
    "ขอโทษค่ะ ไม่เข้าใจคำถามและไม่พบเนื้อหาที่เกี่ยวข้อง",
    "เอกสารแนบอธิบายเฉพาะวิธีติดตั้ง ไม่ได้กล่าวถึงค่าใช้จ่าย",
    "ยังไม่แน่ใจค่ะ ขอถามคลังสินค้าก่อน",
    "แหล่งข้อมูลตอนนี้ยืนยันสิ่งที่คุณถามไม่ได้",
], &[
    "ไม่ได้ค่ะ สัตว์เลี้ยงขึ้นรถไฟไม่ได้",
    "ลูกค้าที่ลืมรหัสผ่านไม่สามารถรีเซ็ตผ่านคอลเซ็นเตอร์ได้",
    "ขอโทษครับ เคาน์เตอร์ปิดแล้ว เปิดอีกครั้ง 9 โมง",
    "ราคานี้ยังไม่รวมภาษีมูลค่าเพิ่ม 7%",
    "หากไม่ทราบรหัสสินค้า ให้ดูสติกเกอร์ใต้เครื่อง",
    "บริษัทไม่คืนเงินสำหรับบัตรของขวัญ",
    "พนักงานไม่ได้รับอนุญาตให้บอกเงินเดือนแก่เพื่อนร่วมงาน",
    "ผู้ที่อายุต่ำกว่า 20 ปีซื้อสุราไม่ได้",
    "ใบเสร็จที่ไม่ระบุชื่อผู้ซื้อยังใช้ได้",
    "นักเรียนที่ตอบไม่ครบ 10 ข้อต้องสอบใหม่",
]);
