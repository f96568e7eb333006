// Stripe: one record by its id; what was deleted is still answered, with `deleted`.

import { guarded, notFound, ok } from "../../fixtures/api.ts";
import { json, none, type Vendor } from "./vendor.ts";

const price = { id: "price_1", object: "price", product: "prod_1", unit_amount: 1250, currency: "eur" };
const refund = { id: "re_1", object: "refund", payment_intent: "pi_1", status: "succeeded", amount: 500 };

export const stripe: Vendor = {
  contract: "stripe",
  origin: "https://api.stripe.com",
  env: { STRIPE_READ_KEY: "rk-SENTINEL" },
  reply({ segments, headers }, { record }) {
    const [version, kind, id] = segments;
    const known = ["customers", "products", "prices", "refunds"].includes(kind ?? "");
    const found = version === "v1" && known && record?.id === id;
    return guarded(found ? ok(record) : notFound, headers.authorization === "Bearer rk-SENTINEL");
  },
  cases: [
    {
      tool: "create_customer",
      args: { name: "Ada" },
      answer: json({ id: "cus_1" }),
      good: { record: { id: "cus_1", object: "customer", name: "Ada" } },
      wrong: { "another name": { record: { id: "cus_1", name: "Eve" } } },
      missing: {
        "no customer": [none, "fail"],
        "a deleted customer": [{ record: { id: "cus_1", deleted: true } }, "fail"],
      },
    },
    {
      tool: "create_product",
      args: { name: "Oil" },
      answer: json({ id: "prod_1", object: "product", name: "Oil" }),
      good: { record: { id: "prod_1", object: "product", name: "Oil" } },
      wrong: { "another name": { record: { id: "prod_1", name: "Grease" } } },
      missing: { "no product": [none, "fail"] },
    },
    {
      tool: "create_price",
      args: { product: "prod_1", unit_amount: 1250, currency: "EUR" },
      answer: json(price),
      good: { record: price },
      wrong: {
        "another product": { record: { ...price, product: "prod_2" } },
        "another amount": { record: { ...price, unit_amount: 125 } },
        "another currency": { record: { ...price, currency: "usd" } },
      },
      missing: { "no price": [none, "fail"] },
    },
    {
      tool: "create_refund",
      args: { payment_intent: "pi_1", amount: 500 },
      answer: json({ id: "re_1", status: "pending", amount: 500 }),
      good: { record: { ...refund, status: "pending" } },
      wrong: {
        "another payment": { record: { ...refund, payment_intent: "pi_2" } },
        "a refund that failed": { record: { ...refund, status: "failed" } },
      },
      missing: { "no refund": [none, "fail"] },
    },
  ],
};
