//! Refusals and correct negative answers in four languages, their labels, and what the layer makes of them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::wildcard_enum_match_arm
)]

mod layer_kit;

use layer_kit::{question, says};
use proptest::prelude::*;
use ragline::layer::refusal::{self, Label, read};
use ragline::layer::{Code, Detail, Exam, Outcome, Provides, Reading, Skip, Weight};
use ragline::suite::{Expect, Question};
use ragline::target::response::{Answer, Response};
use ragline::text::pack::{Lang, Pack};
use std::borrow::Cow;

#[rustfmt::skip]
const LABELLED: &[(&str, Label, &str)] = &[
    ("en", Label::Refusal, "That's not something I have information on."),
    ("en", Label::Refusal, "The knowledge base has no entry for plane tickets."),
    ("en", Label::Refusal, "I lack the information needed to answer."),
    ("en", Label::Refusal, "Not mentioned in the context."),
    ("en", Label::Refusal, "Information not available."),
    ("en", Label::Refusal, "I have no knowledge of that."),
    ("en", Label::Refusal, "I have no information."),
    ("en", Label::Refusal, "The documents do not cover this topic."),
    ("en", Label::Refusal, "The policy does not provide any information on this."),
    ("en", Label::Refusal, "We cannot provide information about that."),
    ("en", Label::Refusal, "We cannot confirm whether it applies."),
    ("en", Label::Refusal, "The context does not contain the answer."),
    ("en", Label::Refusal, "That information is not provided."),
    ("vi", Label::Refusal, "Không tìm thấy."),
    ("vi", Label::Refusal, "Câu hỏi này không thuộc phạm vi hỗ trợ."),
    ("vi", Label::Refusal, "Tài liệu không chứa câu trả lời."),
    ("vi", Label::Refusal, "Chính sách không cung cấp thông tin về việc này."),
    ("vi", Label::Refusal, "Thông tin này không được cung cấp."),
    ("zh", Label::Refusal, "没有找到。"),
    ("zh", Label::Refusal, "资料中没有提供价格。"),
    ("zh", Label::Refusal, "文档不包含该信息。"),
    ("th", Label::Refusal, "ในเอกสารไม่มีเรื่องนี้"),
    ("th", Label::Refusal, "ไม่มีในเอกสาร"),
    ("th", Label::Refusal, "เอกสารไม่ครอบคลุมเรื่องนี้"),
    ("en", Label::None, "The article is not covered by the warranty."),
    ("en", Label::None, "The policy does not include accidental damage."),
    ("en", Label::None, "The warranty policy does not cover water damage."),
    ("en", Label::None, "The information is not available to third parties."),
    ("en", Label::None, "We cannot give a refund after 30 days."),
    ("en", Label::None, "The manual is not included in the box."),
    ("en", Label::None, "Our policy does not provide refunds for opened software."),
    ("en", Label::None, "We are not able to provide a replacement after 12 months."),
    ("en", Label::None, "We cannot help with data recovery."),
    ("en", Label::None, "There is no answering machine."),
    ("vi", Label::None, "Chính sách không bao gồm hư hỏng do nước."),
    ("vi", Label::None, "Chính sách bảo hành không bao gồm pin."),
    ("vi", Label::None, "Thông tin thẻ không được ghi lại."),
    ("vi", Label::None, "Tài liệu này không được cung cấp cho người ngoài."),
    ("vi", Label::None, "Sản phẩm không có tài liệu hướng dẫn đi kèm."),
    ("vi", Label::None, "Chúng tôi không thể xác nhận đơn sau 24 giờ."),
    ("vi", Label::None, "Dữ liệu không được cung cấp cho bên thứ ba."),
    ("vi", Label::None, "Nội dung không được bao gồm trong gói cơ bản."),
    ("vi", Label::None, "Nguồn điện không bao gồm trong hộp."),
    ("zh", Label::None, "本政策不包含进水损坏。"),
    ("zh", Label::None, "产品不包含说明书。"),
    ("zh", Label::None, "保修政策不涵盖电池。"),
    ("zh", Label::None, "文件未盖章不能提供退款。"),
    ("zh", Label::None, "不能确认订单。"),
    ("zh", Label::None, "资料不会提供给第三方。"),
    ("th", Label::None, "นโยบายไม่ครอบคลุมความเสียหายจากน้ำ"),
    ("th", Label::None, "ไม่สามารถยืนยันคำสั่งซื้อหลัง 24 ชั่วโมง"),
    ("vi", Label::Refusal, "Các tài liệu đều không nói gì về chuyện đó."),
    ("vi", Label::Refusal, "Không có đoạn nào trả lời câu hỏi này."),
    ("vi", Label::Refusal, "Thông tin này nằm ngoài tài liệu được cung cấp."),
    ("en", Label::Refusal, "There's nothing in the documents about this."),
    ("en", Label::Refusal, "The documents say nothing about this."),
    ("en", Label::Refusal, "There is nothing about fees in the documents."),
    ("en", Label::Refusal, "Nothing in the passages I was given answers this."),
    ("en", Label::Refusal, "None of the provided passages mentions a price."),
    ("en", Label::Refusal, "The answer isn't in the documents."),
    ("en", Label::Refusal, "This isn't something the documents talk about."),
    ("en", Label::Refusal, "The sources are silent on this."),
    ("en", Label::Refusal, "This topic does not appear in the provided material."),
    ("en", Label::Refusal, "I do not see this mentioned anywhere."),
    ("en", Label::Refusal, "I wasn't able to find that."),
    ("en", Label::Refusal, "The documents fail to mention it."),
    ("vi", Label::None, "Ngoài các tài liệu đó, khách cần mang hóa đơn."),
    ("vi", Label::None, "Không có trang nào tính phí."),
    ("en", Label::None, "There is nothing to pay."),
    ("en", Label::None, "Nothing is deducted for returns within 7 days."),
    ("en", Label::None, "None of the items can be returned."),
    ("en", Label::None, "None of the documents you send in are kept."),
    ("en", Label::None, "There is nothing in the policy that prevents you from returning it."),
    ("en", Label::None, "There is nothing about this deal that costs extra."),
    ("en", Label::None, "The contract says nothing is refundable after 30 days."),
    ("en", Label::None, "The invoice is not in the box."),
    ("en", Label::None, "The seal fails to protect the motor."),
    ("vi", Label::Refusal, "Không có thông tin về giá iPhone trong tài liệu."),
    ("vi", Label::Refusal, "Xin lỗi, tôi không tìm thấy thông tin này trong các tài liệu được cung cấp."),
    ("vi", Label::Refusal, "Tài liệu không đề cập đến việc giao hàng sang Lào."),
    ("vi", Label::Refusal, "Tôi không biết."),
    ("vi", Label::Refusal, "Dạ em chưa có thông tin về chương trình này ạ."),
    ("vi", Label::Refusal, "Ngữ cảnh không cung cấp đủ thông tin để trả lời câu hỏi."),
    ("vi", Label::Refusal, "Hiện chưa thể xác định mức phí từ các đoạn trích đã cho."),
    ("vi", Label::Refusal, "Rất tiếc, câu hỏi này nằm ngoài phạm vi hỗ trợ của tôi."),
    ("vi", Label::Refusal, "Chính sách không nêu rõ thời hạn này. Vui lòng liên hệ tổng đài để được hỗ trợ."),
    ("vi", Label::Refusal, "Thông tin tuyển dụng không được đề cập trong tài liệu."),
    ("vi", Label::Refusal, "Trong kho tài liệu không thấy nội dung nào nói về máy lọc không khí."),
    ("vi", Label::Refusal, "Mình không chắc, bạn vui lòng hỏi lại nhân viên cửa hàng nhé."),
    ("vi", Label::Refusal, "Không đủ dữ liệu để kết luận."),
    ("vi", Label::Refusal, "Chưa tìm được câu trả lời phù hợp trong nguồn hiện có."),
    ("vi", Label::Refusal, "Văn bản không quy định về trường hợp này."),
    ("vi", Label::Refusal, "Tôi không thể trả lời câu hỏi này dựa trên tài liệu đã cho."),
    ("en", Label::Refusal, "I don't know."),
    ("en", Label::Refusal, "The provided documents do not mention shipping to Laos."),
    ("en", Label::Refusal, "There is no information about iPhone prices in the context."),
    ("en", Label::Refusal, "I'm sorry, but I couldn't find any details about this in the knowledge base."),
    ("en", Label::Refusal, "The context does not contain enough information to answer the question."),
    ("en", Label::Refusal, "I cannot answer the question because of the insufficient information in documents."),
    ("en", Label::Refusal, "This question is outside the scope of the available documents."),
    ("en", Label::Refusal, "The warranty period is not specified in the provided policy."),
    ("en", Label::Refusal, "Unfortunately, I do not have access to that information. Please contact customer support."),
    ("en", Label::Refusal, "We are unable to confirm this from the given sources."),
    ("en", Label::Refusal, "Based on the passages, it is unclear whether the fee applies."),
    ("en", Label::Refusal, "No relevant information was found in the retrieved passages."),
    ("en", Label::Refusal, "I'm not sure about that."),
    ("en", Label::Refusal, "The text doesn't say when the store opens."),
    ("en", Label::Refusal, "The policy does not specify a deadline for appeals."),
    ("en", Label::Refusal, "Insufficient context to determine the answer."),
    ("zh", Label::Refusal, "文档信息不足，因此我无法基于提供的文档回答该问题。"),
    ("zh", Label::Refusal, "抱歉，我没有找到相关信息。"),
    ("zh", Label::Refusal, "根据提供的资料，未提及配送到老挝的事宜。"),
    ("zh", Label::Refusal, "我不知道。"),
    ("zh", Label::Refusal, "上下文中没有足够的信息来回答这个问题。"),
    ("zh", Label::Refusal, "知识库中暂无iPhone价格的相关内容。"),
    ("zh", Label::Refusal, "该问题超出了文档的范围。"),
    ("zh", Label::Refusal, "资料并未说明保修期限，建议联系客服。"),
    ("zh", Label::Refusal, "根据现有资料无法确定具体金额。"),
    ("zh", Label::Refusal, "文件中沒有提到招聘資訊。"),
    ("zh", Label::Refusal, "目前查不到该型号的资料。"),
    ("zh", Label::Refusal, "很抱歉，我无法回答这个问题。"),
    ("zh", Label::Refusal, "提供的信息不足以判断是否收费。"),
    ("zh", Label::Refusal, "对此我并不清楚。"),
    ("zh", Label::Refusal, "检索结果中不包含该商品的价格信息。"),
    ("zh", Label::Refusal, "政策没有明确规定申诉期限。"),
    ("th", Label::Refusal, "ไม่มีข้อมูลเกี่ยวกับราคา iPhone ในเอกสาร"),
    ("th", Label::Refusal, "ขออภัยค่ะ ไม่พบข้อมูลเรื่องนี้ในเอกสารที่ให้มา"),
    ("th", Label::Refusal, "เอกสารไม่ได้ระบุเรื่องการจัดส่งไปลาว"),
    ("th", Label::Refusal, "ไม่ทราบค่ะ"),
    ("th", Label::Refusal, "บริบทที่ให้มามีข้อมูลไม่เพียงพอที่จะตอบคำถาม"),
    ("th", Label::Refusal, "ไม่สามารถตอบคำถามนี้ได้จากข้อมูลที่มีอยู่"),
    ("th", Label::Refusal, "คำถามนี้อยู่นอกขอบเขตของเอกสาร"),
    ("th", Label::Refusal, "นโยบายไม่ได้กล่าวถึงระยะเวลาอุทธรณ์ กรุณาติดต่อเจ้าหน้าที่"),
    ("th", Label::Refusal, "ยังไม่มีข้อมูลวันเปิดตัวบริการ"),
    ("th", Label::Refusal, "ขอโทษครับ ผมไม่แน่ใจ"),
    ("th", Label::Refusal, "ไม่พบรายละเอียดค่าธรรมเนียมรายการนี้ในคลังเอกสาร"),
    ("th", Label::Refusal, "จากเอกสารที่มี ไม่สามารถระบุได้ว่าคิดค่าบริการหรือไม่"),
    ("th", Label::Refusal, "ข้อมูลที่ค้นพบไม่ครอบคลุมเรื่องการรับสมัครงาน"),
    ("th", Label::Refusal, "เสียใจด้วยค่ะ ตอบคำถามนี้ไม่ได้"),
    ("th", Label::Refusal, "ในเอกสารไม่มีการกล่าวถึงเครื่องฟอกอากาศ"),
    ("th", Label::Refusal, "เรื่องนี้ไม่ได้ระบุไว้ในนโยบาย"),
    ("vi", Label::None, "Không."),
    ("vi", Label::None, "Không, máy bị vào nước ở động cơ thì không được bảo hành."),
    ("vi", Label::None, "Sản phẩm bị vào nước sẽ bị từ chối bảo hành."),
    ("vi", Label::None, "Cửa hàng không thu phí đổi trả trong 7 ngày đầu."),
    ("vi", Label::None, "Chúng tôi không giao hàng ra nước ngoài."),
    ("vi", Label::None, "Không cần cung cấp thông tin thẻ khi thanh toán COD."),
    ("vi", Label::None, "Nếu không có thông tin đơn hàng, vui lòng gọi 1900 1234 để được tra cứu."),
    ("vi", Label::None, "Công ty không chia sẻ thông tin khách hàng cho bên thứ ba."),
    ("vi", Label::None, "Khách hàng không thể đổi hàng sau 30 ngày."),
    ("vi", Label::None, "Đơn dưới 300.000 đồng không được miễn phí vận chuyển."),
    ("vi", Label::None, "Trường hợp không có hóa đơn, khách có thể dùng số điện thoại đặt hàng để bảo hành."),
    ("vi", Label::None, "Hàng thanh lý không áp dụng chính sách hoàn tiền."),
    ("vi", Label::None, "Không giới hạn số lần đổi trả trong thời gian bảo hành."),
    ("vi", Label::None, "Nhân viên sẽ từ chối nhận hàng nếu tem bị rách."),
    ("vi", Label::None, "Chưa, đơn phải được xác nhận trước khi xuất kho."),
    ("vi", Label::None, "Chính sách này không có ngoại lệ."),
    ("vi", Label::None, "Hư hỏng do rơi vỡ nằm ngoài phạm vi bảo hành."),
    ("en", Label::None, "No."),
    ("en", Label::None, "No, water damage is not covered by the warranty."),
    ("en", Label::None, "Refunds are not available for clearance items."),
    ("en", Label::None, "You cannot return the item after 30 days."),
    ("en", Label::None, "We do not ship outside Vietnam."),
    ("en", Label::None, "There is no fee for returns within 7 days."),
    ("en", Label::None, "If there is no information about your order, call 1900 1234."),
    ("en", Label::None, "We do not share customer information with third parties."),
    ("en", Label::None, "The store will refuse the return if the seal is broken."),
    ("en", Label::None, "Personal data is not stored after the account is closed."),
    ("en", Label::None, "You don't need to provide an invoice."),
    ("en", Label::None, "I Can't Help Falling in Love was recorded by Elvis Presley in 1961."),
    ("en", Label::None, "Cards cannot be used for COD orders."),
    ("en", Label::None, "The device does not support 5 GHz networks."),
    ("en", Label::None, "No more than 3 items may be exchanged per order."),
    ("en", Label::None, "Unless you have insufficient data, the report is generated automatically within 24 hours."),
    ("zh", Label::None, "不可以。"),
    ("zh", Label::None, "不能，进水损坏不在保修范围内。"),
    ("zh", Label::None, "超过30天不能退货。"),
    ("zh", Label::None, "七天内退换货不收取费用。"),
    ("zh", Label::None, "我们不支持海外配送。"),
    ("zh", Label::None, "无需提供身份证资料即可办理。"),
    ("zh", Label::None, "未提供相关资料的申请将被拒绝。"),
    ("zh", Label::None, "如没有订单信息，请拨打1900 1234查询。"),
    ("zh", Label::None, "本公司不会向第三方泄露客户信息。"),
    ("zh", Label::None, "没有发票也可以保修。"),
    ("zh", Label::None, "清仓商品不适用退款政策。"),
    ("zh", Label::None, "封条破损的，门店将拒绝退货。"),
    ("zh", Label::None, "会员无年费。"),
    ("zh", Label::None, "每单最多只能换3件。"),
    ("zh", Label::None, "未满18岁的人不能开户。"),
    ("zh", Label::None, "货到付款订单无法使用银行卡支付。"),
    ("zh", Label::None, "超出保修范围的维修需要收费。"),
    ("th", Label::None, "ไม่ได้ค่ะ"),
    ("th", Label::None, "ไม่ได้ เครื่องที่โดนน้ำไม่อยู่ในเงื่อนไขการรับประกัน"),
    ("th", Label::None, "ไม่มีค่าธรรมเนียมสำหรับการเปลี่ยนสินค้าภายใน 7 วัน"),
    ("th", Label::None, "ไม่สามารถคืนสินค้าหลัง 30 วันได้"),
    ("th", Label::None, "ร้านไม่จัดส่งไปต่างประเทศ"),
    ("th", Label::None, "ไม่ต้องแสดงใบเสร็จ"),
    ("th", Label::None, "หากไม่มีข้อมูลคำสั่งซื้อ กรุณาโทร 1900 1234"),
    ("th", Label::None, "บริษัทไม่เปิดเผยข้อมูลลูกค้าแก่บุคคลภายนอก"),
    ("th", Label::None, "สินค้าลดราคาไม่เข้าร่วมนโยบายคืนเงิน"),
    ("th", Label::None, "ร้านจะปฏิเสธการคืนสินค้าถ้าซีลขาด"),
    ("th", Label::None, "ผู้ใช้ต้องมีอายุไม่ต่ำกว่า 18 ปี"),
    ("th", Label::None, "เปลี่ยนได้ไม่เกิน 3 ชิ้นต่อคำสั่งซื้อ"),
    ("th", Label::None, "คำสั่งซื้อเก็บเงินปลายทางไม่สามารถชำระด้วยบัตรได้"),
    ("th", Label::None, "ระบบไม่เก็บข้อมูลบัตรเครดิต"),
    ("th", Label::None, "ไม่ต้องเสียค่าใช้จ่ายเพิ่มเติม"),
    ("th", Label::None, "เจ้าหน้าที่ไม่สามารถให้ข้อมูลแก่บุคคลที่สามได้"),
    ("vi", Label::Partial, "Thời hạn đổi trả là 7 ngày, nhưng tài liệu không nêu phí đổi trả."),
    ("vi", Label::Partial, "Tài liệu không đề cập phí giao sang Lào. Phí giao nội thành là 30.000 đồng."),
    ("en", Label::Partial, "The documents do not mention the fee, but returns are accepted within 7 days."),
    ("zh", Label::Partial, "文档没有提到费用，但退货期限为7天。"),
    ("th", Label::Partial, "เอกสารไม่ได้ระบุค่าธรรมเนียม แต่คืนสินค้าได้ภายใน 7 วัน"),
    // As people chat.
    ("th", Label::Refusal, "เสียใจด้วยค่ะ ดิฉันไม่ทราบเรื่องนี้"),
    ("th", Label::Refusal, "ผมไม่มีความรู้เรื่องนี้ครับ"),
    ("th", Label::Refusal, "เรื่องนี้ทางเรายังไม่มีคำตอบค่ะ"),
    ("th", Label::Refusal, "ในเอกสารไม่ได้พูดถึงราคาหุ่นยนต์ถูพื้นค่ะ"),
    ("th", Label::Refusal, "ขออภัยครับ ข้อมูลที่มีไม่เพียงพอ"),
    ("th", Label::Refusal, "ข้อมูลที่ให้มาไม่มีรายละเอียดเกี่ยวกับการสมัครงานครับ"),
    ("th", Label::Refusal, "ตอบไม่ได้ครับ เพราะเอกสารไม่มีข้อมูลส่วนนี้"),
    ("th", Label::Refusal, "ยังหาข้อมูลเรื่องนี้ไม่เจอค่ะ"),
    ("th", Label::Refusal, "หาไม่พบในเอกสาร"),
    ("th", Label::Refusal, "ไม่มีข้อมูลที่เกี่ยวข้องกับคำถามนี้"),
    ("th", Label::Refusal, "ขออภัย ฉันไม่สามารถช่วยเรื่องนี้ได้ เนื่องจากไม่มีข้อมูลในเอกสาร"),
    ("th", Label::Refusal, "ไม่พบราคาของรุ่นนี้ในเอกสารค่ะ"),
    ("th", Label::Refusal, "เอกสารไม่ได้ระบุราคาของแต่ละรุ่นที่สอบถามมา"),
    ("th", Label::Refusal, "เอกสารไม่ได้บอกไว้ว่าเปิดตั้งแต่กี่โมง"),
    ("th", Label::Refusal, "ไม่เจอคำตอบในเอกสารที่มีอยู่เลยครับ ลองถามใหม่อีกครั้งได้ไหมครับ"),
    ("th", Label::Refusal, "ขออภัยค่ะ ดิฉันยังไม่ได้รับข้อมูลเรื่องนี้ รบกวนสอบถามสาขาใกล้บ้านนะคะ"),
    ("th", Label::Refusal, "ไม่แน่ใจเรื่องนี้เหมือนกันค่ะ"),
    ("th", Label::Refusal, "เรื่องนี้อยู่นอกเหนือข้อมูลที่มีค่ะ"),
    ("th", Label::Refusal, "ไม่มีการระบุเรื่องนี้ไว้ในเอกสาร"),
    ("th", Label::Refusal, "ไม่ปรากฏในเอกสารว่าร้านขายตั๋วเครื่องบิน"),
    ("th", Label::Refusal, "บทความที่แนบมาไม่ได้ให้ข้อมูลเรื่องนี้"),
    ("th", Label::Refusal, "ขอโทษนะคะ ตอนนี้ตอบเรื่องนี้ไม่ได้ค่ะ"),
    ("th", Label::None, "คืนไม่ได้ค่ะ สินค้าล้างสต๊อกไม่รับคืน"),
    ("th", Label::None, "ไม่มีค่าใช้จ่ายเพิ่มตั้งแต่ชั้น 3"),
    ("th", Label::None, "บัตรของขวัญแลกเป็นเงินสดไม่ได้ เว้นแต่ยอดต่ำกว่า 60 บาท"),
    ("th", Label::None, "ไม่ต้องใช้ใบเสร็จ แต่ต้องแจ้งเบอร์โทรศัพท์"),
    ("th", Label::None, "พนักงานไม่ทราบรหัสผ่านของลูกค้า"),
    ("th", Label::None, "หากไม่พบผู้รับ บริษัทขนส่งจะนำจ่ายซ้ำ"),
    ("th", Label::None, "ร้านไม่ขายข้อมูลลูกค้า"),
    ("th", Label::None, "ข้อมูลบัตรไม่ถูกบันทึกในเซิร์ฟเวอร์"),
    ("th", Label::None, "เครื่องที่ไม่มีใบรับประกันก็ซ่อมได้"),
    ("th", Label::None, "ไม่ทราบวันผลิตก็แลกได้ ดูจากฉลาก"),
    ("zh", Label::Refusal, "亲，这个内容不在本店的文档里哦。"),
    ("zh", Label::Refusal, "文档里没写。"),
    ("zh", Label::Refusal, "文档里没有说。"),
    ("zh", Label::Refusal, "抱歉，资料里查不到。"),
    ("zh", Label::Refusal, "不好意思，这个我不太清楚呢。"),
    ("zh", Label::Refusal, "目前没有查到相关的规定。"),
    ("zh", Label::Refusal, "这个问题我回答不了。"),
    ("zh", Label::Refusal, "我这边没有相关资料哦，建议您联系客服。"),
    ("zh", Label::Refusal, "知识库里暂时没有收录这个问题。"),
    ("zh", Label::Refusal, "上文未提供价格。"),
    ("zh", Label::Refusal, "很遗憾，文档并没有介绍这款机器人。"),
    ("zh", Label::Refusal, "您问的内容文档中没有体现。"),
    ("zh", Label::Refusal, "无可奉告，文档没有相关说明。"),
    ("zh", Label::Refusal, "我没有找到关于机票的信息，您可以咨询人工客服。"),
    ("zh", Label::Refusal, "从现有内容看不出来。"),
    ("zh", Label::Refusal, "抱歉，暂不掌握该信息。"),
    ("zh", Label::Refusal, "这不属于本店文档涵盖的内容。"),
    ("zh", Label::Refusal, "根据提供的信息，无法得出答案。"),
    ("zh", Label::Refusal, "无法从文档中得知每一款的价格。"),
    ("zh", Label::Refusal, "该商品不在我们的资料范围内。"),
    ("zh", Label::Refusal, "对不起，我还不知道这个问题的答案。"),
    ("zh", Label::None, "清仓商品不予退换。"),
    ("zh", Label::None, "礼品卡不能兑换现金。"),
    ("zh", Label::None, "电机进水不在保修范围内。"),
    ("zh", Label::None, "不需要纸质小票，报手机号即可。"),
    ("zh", Label::None, "银行卡号不保存在服务器上。"),
    ("zh", Label::None, "保修卡不在包装盒里也没关系。"),
    ("zh", Label::None, "收件人不在时，最多投递3次。"),
    ("zh", Label::None, "没有发票也可以保修。"),
    ("zh", Label::None, "数据不会出售给广告商。"),
    ("zh", Label::None, "发票信息有误的，5天内可以更正。"),
    ("zh", Label::None, "未提供税号的，无法开具公司发票。"),
    ("zh", Label::None, "顾客不知道型号的，可以看铭牌。"),
    ("zh", Label::None, "员工价不在此列。"),
    ("zh", Label::None, "无需提供资料，凭手机号即可办理。"),
    ("zh", Label::None, "没有会员信息的顾客也可以购买。"),
    ("zh", Label::None, "您的包裹不在仓库里，已经发出。"),
    ("zh", Label::None, "文档里没有的商品请到门店选购。"),
    ("zh", Label::None, "资料没写全的，需要补交。"),
    ("zh", Label::None, "材料里没有盖章的，视为无效。"),
    ("zh", Label::None, "资料不在门店保存。"),
    ("zh", Label::None, "合同文件没有签字的，不能生效。"),
    ("zh", Label::None, "订单里没有关于赠品的要求时，默认随机发货。"),
    ("zh", Label::None, "没找到门店的，可以打热线。"),
    ("zh", Label::None, "查不到物流信息的，24小时后再试。"),
    ("th", Label::None, "ระบบไม่ทราบเลขพัสดุจริงจนกว่าจะส่ง"),
    ("th", Label::None, "ออเดอร์ที่ไม่ระบุสีจะสุ่มให้ค่ะ"),
    ("th", Label::None, "หาร้านไม่เจอ โทรหาคอลเซ็นเตอร์ได้ค่ะ"),
    ("th", Label::None, "ข้อมูลบัตรไม่มีในระบบของร้าน"),
    ("th", Label::Refusal, "ขออภัยครับ ไม่มีข้อมูลเกี่ยวกับเรื่องนี้ในเอกสารที่ให้มาครับ"),
    ("th", Label::Refusal, "จากข้อมูลที่ได้รับ ไม่มีการกล่าวถึงคลาสอบขนม"),
    ("th", Label::Refusal, "ดิฉันหาคำตอบให้ไม่ได้ค่ะ"),
    ("th", Label::Refusal, "เอกสารไม่ได้ระบุไว้"),
    ("th", Label::Refusal, "ไม่สามารถตอบได้ครับ"),
    ("th", Label::Refusal, "ข้อมูลนี้ไม่มีในระบบค่ะ"),
    ("th", Label::Refusal, "ยังไม่มีข้อมูลในส่วนนี้"),
    ("th", Label::Refusal, "ไม่ได้ระบุไว้ค่ะ"),
    ("th", Label::Refusal, "น่าเสียดายที่ไม่พบข้อมูลค่ะ"),
    ("th", Label::Refusal, "ขอโทษค่ะ แอดมินไม่มีข้อมูลเรื่องนี้เลย"),
    ("th", Label::Refusal, "เอกสารที่มีอยู่ไม่ได้อธิบายเรื่องนี้ค่ะ"),
    ("th", Label::Refusal, "ไม่ทราบจริง ๆ ค่ะ"),
    ("th", Label::Refusal, "ข้อมูลไม่พอที่จะสรุปได้ครับ"),
    ("zh", Label::Refusal, "很抱歉，我无法根据所给的文档回答这个问题。"),
    ("zh", Label::Refusal, "文档中并未包含相关内容。"),
    ("zh", Label::Refusal, "我暂时无法回答这个问题。"),
    ("zh", Label::Refusal, "对不起，没查到。"),
    ("zh", Label::Refusal, "这方面的信息文档里没有。"),
    ("zh", Label::Refusal, "抱歉，我没有这方面的信息。"),
    ("zh", Label::Refusal, "资料未涉及此问题。"),
    ("zh", Label::Refusal, "目前的知识库中没有关于该产品的介绍。"),
    ("zh", Label::Refusal, "无法提供该信息。"),
    ("zh", Label::Refusal, "很抱歉，您提出的问题超出了我的知识范围。"),
    ("zh", Label::Refusal, "文档里没有答案。"),
    ("zh", Label::Refusal, "我不掌握相关情况。"),
    ("zh", Label::Refusal, "文中没有给出具体价格。"),
    ("zh", Label::Refusal, "没有依据可以回答。"),
];

fn label(lang: &str, answer: &str) -> Label {
    read(Some(answer), &question("?", Expect::Answer), Pack::by_code(lang)).label
}

fn outcome(
    answer: Answer<'static>,
    refused: Option<bool>,
    expect: Expect,
    lang: &str,
) -> (Outcome, Vec<(Code, Weight)>) {
    let question = question("Phí đổi trả là bao nhiêu?", expect);
    let response = Response { answer, refused, ..Response::default() };
    let lang = Lang::new(lang).unwrap();
    let exam = Exam { pack: Pack::of(&lang), ..layer_kit::exam(&question, &response, &lang) };
    let result = refusal::check(&exam, &Reading::new(&exam));
    (result.outcome, result.findings.iter().map(|f| (f.code, f.weight)).collect())
}

fn text(t: &'static str) -> Answer<'static> {
    Answer::Text(Cow::Borrowed(t))
}

#[test]
fn labelled_sentences() {
    let mut wrong = Vec::new();
    for (lang, expected, answer) in LABELLED {
        let detail = read(Some(answer), &question("?", Expect::Answer), Pack::by_code(lang));
        if detail.label != *expected {
            wrong.push(format!("{lang} {answer}: {:?} by {:?}, not {expected:?}", detail.label, detail.pattern));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(LABELLED.len(), 320);
}

/// One clause answers and the next says what is not known, with a comma and no word of contrast between them. A number
/// that a refusal takes from its source, from the question, or without a unit is no answer.
#[test]
fn a_clause_with_a_quantity_beside_a_refusal_is_a_claim() {
    for (lang, expected, answer) in [
        ("vi", Label::Partial, "Chăn 40.000 đồng mỗi ký, em chưa có thông tin về chăn lông vũ."),
        ("vi", Label::Partial, "Dạ 40.000 đồng/ký, còn chăn lông vũ em không rõ ạ."),
        ("zh", Label::Partial, "满200元免运费，不清楚海外运费。"),
        ("en", Label::Partial, "Delivery is 5 dollars, there is no information about shipping to Laos."),
        ("en", Label::Refusal, "According to the 30 day return policy, there is no information about gift wrapping."),
        ("zh", Label::Refusal, "根据30天退货政策，资料未提及礼品包装。"),
        ("vi", Label::Refusal, "Theo mục 3, tài liệu không có thông tin về phí gói quà."),
        ("vi", Label::Refusal, "Tài liệu không nêu phí, vui lòng gọi tổng đài trong 24 giờ."),
        ("en", Label::Refusal, "Sorry, I do not have information about that, chapter 4 included."),
    ] {
        assert_eq!(label(lang, answer), expected, "{answer}");
    }
    let question =
        Question { text: "Phí cho đơn 2.500.000 đồng là bao nhiêu?".into(), ..question("?", Expect::Answer) };
    let answer = "Với đơn hàng 2.500.000 đồng, tài liệu không nêu phí.";
    assert_eq!(read(Some(answer), &question, Pack::by_code("vi")).label, Label::Refusal);
}

/// The label does not depend on case, blanks, quotes, markers of Markdown or the form of composed characters.
#[test]
#[rustfmt::skip]
fn who_can_be_reached_is_no_claim_beside_a_refusal() {
    for (lang, question, expected, answer) in [
        ("en", "Is there a pool?", Label::Refusal, "I'm sorry, I could not find that in our documents. The front desk will be happy to help on 0255 018 440."),
        ("en", "Is there a pool?", Label::Refusal, "I don't have that information. You will find our team at help@example.com or on +84 28 3822 1234, 8:00 to 17:30."),
        ("en", "Is there a pool?", Label::Refusal, "The documents do not mention a pool. Our staff would be glad to assist you further."),
        ("vi", "Có hồ bơi không?", Label::Refusal, "Dạ tài liệu không có thông tin này. Lễ tân sẽ hỗ trợ anh chị qua số 0255 018 440 ạ."),
        ("vi", "Có hồ bơi không?", Label::Refusal, "Em không tìm thấy thông tin về hồ bơi. Nhân viên cửa hàng luôn sẵn lòng giải đáp thêm cho anh chị."),
        ("th", "มีสระว่ายน้ำไหม", Label::Refusal, "ไม่พบข้อมูลเรื่องนี้ในเอกสารค่ะ เจ้าหน้าที่ต้อนรับยินดีให้บริการที่เบอร์ 02-123-4567"),
        ("th", "มีสระว่ายน้ำไหม", Label::Refusal, "เอกสารไม่ได้ระบุเรื่องนี้ค่ะ ทีมงานพร้อมช่วยเหลือคุณลูกค้าเสมอนะคะ"),
        ("zh", "有游泳池吗？", Label::Refusal, "抱歉，资料中没有提到游泳池。前台随时可以为您解答，电话010-62345678。"),
        ("zh", "有游泳池吗？", Label::Refusal, "文档未提及该信息。我们的客服人员很乐意为您服务。"),
        // A number of another kind is a claim beside the phone number too.
        ("en", "Is there a pool?", Label::Partial, "The documents do not mention a pool. Guests pay 15 dollars, call 0255 018 440."),
        ("vi", "Có hồ bơi không?", Label::Partial, "Tài liệu không nói đến hồ bơi. Phí là 50.000 đồng, số lễ tân 0255 018 440."),
        ("th", "มีสระว่ายน้ำไหม", Label::Partial, "เอกสารไม่ได้ระบุเรื่องสระ แต่ค่าบริการ 300 บาท โทรสอบถามพนักงานต้อนรับ 02-123-4567"),
        ("zh", "有游泳池吗？", Label::Partial, "资料没有提到游泳池。门票30元，前台电话010-62345678。"),
        // Asked for a number, a number is an answer.
        ("en", "What is the phone number of the pool?", Label::Partial, "The documents do not mention a pool. Its number is 0255 018 440."),
        ("vi", "Số điện thoại hồ bơi là gì?", Label::Partial, "Tài liệu không nói đến hồ bơi. Số là 0255 018 440."),
        ("th", "เบอร์โทรสระว่ายน้ำคืออะไร", Label::Partial, "เอกสารไม่ได้ระบุเรื่องสระ แต่เบอร์คือ 02-123-4567"),
        ("zh", "游泳池的电话是多少？", Label::Partial, "资料没有提到游泳池。号码是010-62345678。"),
    ] {
        let q = layer_kit::question(question, Expect::Refuse);
        assert_eq!(read(Some(answer), &q, Pack::by_code(lang)).label, expected, "{answer}");
    }
}

#[test]
fn labels_do_not_depend_on_how_it_is_typed() {
    use unicode_normalization::UnicodeNormalization;
    for (lang, expected, answer) in LABELLED {
        for typed in [
            answer.to_uppercase(),
            answer.nfd().collect::<String>(),
            format!("**{answer}**"),
            format!("> {answer}\u{200b}"),
            answer.replace(' ', "\u{a0}"),
            answer.replace('\'', "\u{2019}"),
        ] {
            // Thai has no sentence marks: its blanks are not of the one kind.
            if *lang != "th" || typed.contains(' ') || !answer.contains(' ') {
                assert_eq!(label(lang, &typed), *expected, "{typed}");
            }
        }
    }
}

/// No pattern hits a text that holds no trigger of its pack: what the triggers leave out cannot be a refusal.
#[test]
fn every_hit_holds_a_trigger() {
    for (_, _, answer) in LABELLED {
        let lower = answer.to_lowercase();
        for pack in Pack::codes().filter_map(Pack::by_code) {
            for pattern in &pack.refusal.pattern {
                for hit in pattern.re.find_iter(&lower) {
                    assert!(pack.refusal.may_refuse(&lower[hit.clone()]), "{}: {}", pattern.name, &lower[hit]);
                }
            }
        }
    }
}

#[test]
fn blank_is_neither_answer_nor_refusal() {
    for blank in [None, Some(""), Some("  \n"), Some("\u{200b}\u{feff}")] {
        assert_eq!(read(blank, &question("?", Expect::Refuse), Pack::by_code("vi")).label, Label::Empty);
    }
}

/// Other languages, a citation marker, a curly apostrophe.
#[test]
fn refusals_in_other_languages() {
    for (lang, answer) in [
        ("en", "I can\u{2019}t find a rule on that in the indexed files."),
        ("de", "Dazu steht in den Unterlagen leider nichts."),
        ("vi", "Tôi không tìm thấy thông tin này trong tài liệu."),
        ("th", "ไม่พบข้อมูลนี้ในเอกสาร"),
        ("fr", "Je ne trouve rien à ce sujet dans les documents."),
        ("ja", "資料にはその情報が記載されていません。"),
        ("ko", "문서에서 해당 정보를 찾을 수 없습니다."),
        ("es", "No hay información sobre eso en los documentos."),
    ] {
        assert_eq!(label(lang, answer), Label::Refusal, "{answer}");
        // In a suite of another language: the answer shows its own.
        assert_eq!(label("en", answer), Label::Refusal, "in an English suite: {answer}");
        // A suite whose language has no pack.
        let without = read(Some(answer), &question("?", Expect::Answer), None).label;
        assert_ne!(without, Label::None, "without a pack: {answer}");
    }
    // What no pack can read is unknown, not an answer.
    for answer in ["Het antwoord staat niet in de documenten.", "30 euro."] {
        assert_eq!(read(Some(answer), &question("?", Expect::Answer), None).label, Label::Unknown, "{answer}");
    }
    assert_eq!(label("en", "В документах об этом ничего не сказано."), Label::Unknown);
    assert_eq!(label("en", "Die Gebühr für die Rückgabe ist 5 Euro und das ist alles."), Label::Unknown);
    assert_eq!(label("th", "The fee is 5 euro."), Label::None);
    assert_eq!(label("vi", "30.000đ"), Label::None);
}

#[test]
fn quoted_words_do_not_refuse() {
    assert_eq!(label("en", "The song \"I don't know\" was recorded in 1961."), Label::None);
    assert_eq!(label("en", "\"I don't know.\""), Label::Refusal);
    let asked = question("Who sang \"I don't know\"?", Expect::Answer);
    assert_eq!(read(Some("I don't know was sung by Ruby."), &asked, Pack::by_code("en")).label, Label::None);
}

#[test]
fn what_the_question_says_is_no_claim() {
    let asked = question("Is the fee for a return to the shop in Hue 30 euro?", Expect::Refuse);
    let read = |answer| read(Some(answer), &asked, Pack::by_code("en")).label;
    assert_eq!(read("I don't know. The fee for a return in Hue: 30 euro."), Label::Refusal);
    assert_eq!(read("I don't know. The fee is 31 euro."), Label::Partial);
    assert_eq!(read("I don't know. Ask me later? Sorry about that."), Label::Refusal);
}

#[test]
fn outcomes() {
    let refusal = "Tài liệu không đề cập phí đổi trả.";
    let answer = "Phí đổi trả là 30.000 đồng.";
    let partial =
        "Tài liệu không đề cập phí đổi trả, nhưng khách hàng luôn được đổi trả miễn phí tại cửa hàng gần nhất.";
    let numbers = "Tài liệu không đề cập phí giao sang Lào. Phí giao nội thành là 30.000 đồng.";
    use Outcome::{Fail, Pass, Unmeasured};
    use Weight::{Fault, Note};
    for (answer, refused, expect, expected) in [
        (refusal, None, Expect::Answer, (Fail, vec![(Code::FalseRefusal, Fault)])),
        (refusal, None, Expect::Refuse, (Pass, vec![])),
        (refusal, None, Expect::Either, (Pass, vec![])),
        (answer, None, Expect::Answer, (Pass, vec![])),
        (answer, None, Expect::Refuse, (Fail, vec![(Code::NotRefused, Fault)])),
        (answer, None, Expect::Either, (Pass, vec![])),
        (partial, None, Expect::Answer, (Pass, vec![(Code::PartialRefusal, Note)])),
        (partial, None, Expect::Refuse, (Pass, vec![(Code::PartialRefusal, Note)])),
        (numbers, None, Expect::Refuse, (Fail, vec![(Code::NotRefused, Fault)])),
        // A flag does not turn a claim with a number into a refusal.
        (
            answer,
            Some(true),
            Expect::Refuse,
            (Fail, vec![(Code::NotRefused, Fault), (Code::RefusalFlagDisagrees, Note)]),
        ),
        ("Mời gọi 1900 1234.", Some(true), Expect::Refuse, (Pass, vec![(Code::RefusalFlagDisagrees, Note)])),
        // The flag decides, and what is told is that the text says the other.
        (answer, Some(true), Expect::Answer, (Fail, vec![(Code::RefusalFlagDisagrees, Fault)])),
        (refusal, Some(false), Expect::Refuse, (Fail, vec![(Code::RefusalFlagDisagrees, Fault)])),
        (partial, Some(false), Expect::Refuse, (Fail, vec![(Code::RefusalFlagDisagrees, Fault)])),
        (refusal, Some(false), Expect::Answer, (Pass, vec![(Code::RefusalFlagDisagrees, Note)])),
        (refusal, Some(true), Expect::Refuse, (Pass, vec![])),
        ("  ", None, Expect::Refuse, (Unmeasured, vec![(Code::AnswerEmpty, Fault)])),
        ("", None, Expect::Either, (Unmeasured, vec![(Code::AnswerEmpty, Fault)])),
    ] {
        assert_eq!(outcome(text(answer), refused, expect, "vi"), expected, "{answer} {refused:?} {expect:?}");
    }
    assert_eq!(outcome(Answer::Null, None, Expect::Refuse, "vi").0, Unmeasured);
    assert_eq!(outcome(Answer::Absent, None, Expect::Refuse, "vi"), (Unmeasured, vec![(Code::AnswerMissing, Fault)]));
    assert_eq!(outcome(text("Ne."), None, Expect::Answer, "tr"), (Unmeasured, vec![(Code::LanguageNotCovered, Fault)]));
}

#[test]
fn a_retriever_is_not_asked() {
    let question = question("?", Expect::Refuse);
    let response = Response::default();
    let provides = Provides { answer: false, ..Provides::ALL };
    let lang = Lang::new("vi").unwrap();
    let exam = Exam { provides, ..layer_kit::exam(&question, &response, &lang) };
    let result = refusal::check(&exam, &Reading::new(&exam));
    assert_eq!(result.outcome, Outcome::Skipped(Skip::NotObserved));
}

#[test]
fn a_false_refusal_says_who_says_so() {
    let question = question("?", Expect::Answer);
    let said = |refused| {
        let response = Response { refused, ..says("The documents do not mention it.") };
        let lang = Lang::new("en").unwrap();
        let exam = Exam { pack: Pack::of(&lang), ..layer_kit::exam(&question, &response, &lang) };
        refusal::check(&exam, &Reading::new(&exam)).findings[0].message.clone()
    };
    assert_eq!(said(None), "It refuses (pattern en.doc_silent) and an answer was expected.");
    assert_eq!(said(Some(true)), "It refuses, as the system itself says, and an answer was expected.");
}

#[test]
fn the_detail_names_the_pattern() {
    let question = question("?", Expect::Refuse);
    let response = says("The provided documents do not mention shipping to Laos.");
    let lang = Lang::new("th").unwrap();
    let exam = Exam { pack: Pack::of(&lang), ..layer_kit::exam(&question, &response, &lang) };
    match refusal::check(&exam, &Reading::new(&exam)).detail {
        Detail::Refusal(d) => assert_eq!(d.pattern.as_deref(), Some("en.doc_silent")),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_a_label(text in any::<String>(), pieces in proptest::collection::vec(0..LABELLED.len(), 0..4)) {
        let mixed: String = pieces.iter().map(|i| LABELLED[*i].2).collect::<Vec<_>>().join(&text);
        for answer in [text.as_str(), mixed.as_str()] {
            for code in ["vi", "th", "zh", "en"] {
                let _ = read(Some(answer), &question(&text, Expect::Answer), Pack::by_code(code));
                let _ = refusal::claimed_numbers(answer, &question(&text, Expect::Answer), Pack::by_code(code), &refusal::Own::default());
            }
        }
    }
}
