// Writes a project of many questions in four languages, with answers before and after a change: node many.mjs FOLDER N
import { mkdirSync, writeFileSync } from "node:fs";

const [folder, count] = [process.argv[2], Number(process.argv[3])];
const kinds = [
  {
    ask: (n) => `Món hàng số ${n} được đổi trả trong bao lâu kể từ ngày nhận?`,
    say: (n, days) => `Món hàng số ${n} được đổi trả trong ${days} ngày kể từ ngày nhận hàng, dù mua tại quầy hay đặt trên mạng. [1]`,
    text: (n, days) => `Món hàng số ${n} được đổi trả trong ${days} ngày kể từ ngày nhận hàng. Phiếu mua hàng phải còn nguyên, hộp và phụ kiện đi kèm phải đủ như lúc giao.`,
    fact: (days) => `${days} ngày`,
  },
  {
    ask: (n) => `สินค้าหมายเลข ${n} คืนได้ภายในกี่วันนับจากวันที่ได้รับ`,
    say: (n, days) => `สินค้าหมายเลข ${n} คืนได้ภายใน ${days} วันนับจากวันที่ได้รับสินค้า ไม่ว่าจะซื้อที่ร้านหรือสั่งออนไลน์ [1]`,
    text: (n, days) => `สินค้าหมายเลข ${n} คืนได้ภายใน ${days} วันนับจากวันที่ได้รับสินค้า ต้องมีใบเสร็จและกล่องที่ยังสมบูรณ์`,
    fact: (days) => `${days} วัน`,
  },
  {
    ask: (n) => `${n}号商品自收货之日起几天内可以退货？`,
    say: (n, days) => `${n}号商品自收货之日起${days}天内可以退货，无论在门店购买还是网上下单。[1]`,
    text: (n, days) => `${n}号商品自收货之日起${days}天内可以退货。须出示小票，包装和配件应保持完整。`,
    fact: (days) => `${days}天`,
  },
  {
    ask: (n) => `Within how many days of delivery can item ${n} be returned?`,
    say: (n, days) => `Item ${n} can be returned within ${days} days of delivery, bought in the shop or online. [1]`,
    text: (n, days) => `Item ${n} can be returned within ${days} days of delivery. The receipt is needed, and the box with all its parts.`,
    fact: (days) => `${days} days`,
  },
];
mkdirSync(`${folder}/suites`, { recursive: true });
writeFileSync(`${folder}/ragline.toml`, "version = 1\n");
writeFileSync(`${folder}/thresholds.toml`, "version = 1\nmax_regressed = 0\n");
// In the first question, wherever it speaks.
const hostile = "<img src=x onerror=\"window.ran = 4\"> </noscript></details><script>window.ran = 5</script> \u202e \u0000 <!-- ' & &lt;";
const [questions, before, after] = [[], [], []];
for (let n = 0; n < count; n += 1) {
  const [kind, days, id] = [kinds[n % 4], 5 + (n % 20), `q${String(n).padStart(5, "0")}`];
  const worse = n === 0 ? ` ${hostile}` : "";
  questions.push({
    id,
    question: kind.ask(n) + (n === 0 ? " <img src=x onerror=\"window.ran = 6\">" : ""),
    facts: [kind.fact(days)],
    evidence: [{ doc: `item-${n}.md`, span: kind.fact(days) }],
    tags: [`aisle-${n % 12}`, n % 2 ? "odd" : "even"],
    severity: n % 50 === 0 ? "critical" : "normal",
    owner: `team-${n % 5}`,
  });
  const contexts = [0, 1, 2].map((k) => ({
    doc: `item-${n + k}.md`,
    section: ["Items", `Item ${n + k}`],
    text: `${kind.text(n + k, days + 25 * k)} `.repeat(3) + worse,
    score: 9 - k,
  }));
  const line = (answer) => ({ id, answer: answer + worse, contexts, usage: { input_tokens: 900 + n % 90, output_tokens: 30 } });
  before.push(line(kind.say(n, days)));
  after.push(line(kind.say(n, n % 25 === 0 ? days + 100 : days)));
}
const lines = (all) => all.map((one) => `${JSON.stringify(one)}\n`).join("");
writeFileSync(`${folder}/suites/many.jsonl`, lines([{ version: 1, suite: "many" }, ...questions]));
const head = { version: 1, kind: "responses", suite: "many" };
writeFileSync(`${folder}/before.jsonl`, lines([head, ...before]));
writeFileSync(`${folder}/after.jsonl`, lines([head, ...after]));
