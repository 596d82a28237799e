CREATE SEQUENCE "sandbox"."web_site_ids" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 900001 CACHE 1;--> statement-breakpoint
CREATE TABLE "sandbox"."memos" (
	"memo_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."memos_memo_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 6001 CACHE 1),
	"car_id" bigint NOT NULL,
	"content" text NOT NULL,
	"writer_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sandbox"."memos" ADD CONSTRAINT "memos_car_id_cars_car_id_fk" FOREIGN KEY ("car_id") REFERENCES "sandbox"."cars"("car_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memos_car" ON "sandbox"."memos" USING btree ("car_id","memo_id");