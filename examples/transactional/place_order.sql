-- Place an order and enqueue its packing in one transaction, with nothing but SQL: psql -v number=4 -f place_order.sql
BEGIN;
INSERT INTO orders VALUES (:number);
SELECT mainspring.enqueue('pack', jsonb_build_object('order', :number), key => 'order ' || :number) AS run;
COMMIT;
