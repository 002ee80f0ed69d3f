-- AlterTable
ALTER TABLE "order_withdrawals" ADD COLUMN     "quantities" INTEGER[];

-- So far a line was withdrawn from whole.
UPDATE "order_withdrawals" w SET "quantities" = ARRAY(
  SELECT l."quantity" FROM unnest(w."checkout_line_ids") WITH ORDINALITY AS about("id", "place")
  JOIN "checkout_lines" l ON l."id" = about."id"
  ORDER BY about."place"
);

ALTER TABLE "order_withdrawals" ADD CONSTRAINT "order_withdrawals_quantities"
  CHECK (cardinality("quantities") = cardinality("checkout_line_ids") AND 1 <= ALL ("quantities"));
