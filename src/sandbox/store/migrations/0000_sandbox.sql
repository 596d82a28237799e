CREATE EXTENSION IF NOT EXISTS btree_gist;--> statement-breakpoint
CREATE SCHEMA "sandbox";
--> statement-breakpoint
CREATE SEQUENCE "sandbox"."reservation_ids" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 8001 CACHE 1;--> statement-breakpoint
CREATE TABLE "sandbox"."callbacks" (
	"callback_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."callbacks_callback_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook_id" text NOT NULL,
	"reservation_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"payload" text NOT NULL,
	"emitted_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"first_attempt_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"last_outcome" text,
	CONSTRAINT "callbacks_webhook_id" UNIQUE("webhook_id")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."cars" (
	"car_id" bigint PRIMARY KEY NOT NULL,
	"company_id" bigint NOT NULL,
	"car_number" text NOT NULL,
	"detail_model_name" text NOT NULL,
	"car_type_fuel_cd" bigint NOT NULL,
	"device_equip_yn" text NOT NULL,
	"details" jsonb NOT NULL,
	CONSTRAINT "cars_car_number_unique" UNIQUE("car_number")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."companies" (
	"company_id" bigint PRIMARY KEY NOT NULL,
	"company_name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."journal" (
	"journal_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."journal_journal_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"operation" text,
	"role" text,
	"status" integer,
	"reservation_id" bigint,
	"effect" text NOT NULL,
	"request_body" text,
	"response_body" text,
	"webhook_id" text
);
--> statement-breakpoint
CREATE TABLE "sandbox"."photos" (
	"hash" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."product_cars" (
	"product_id" bigint NOT NULL,
	"car_id" bigint NOT NULL,
	"sale_yn" text NOT NULL,
	CONSTRAINT "product_cars_product_id_car_id_pk" PRIMARY KEY("product_id","car_id")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."products" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"company_id" bigint NOT NULL,
	"product_name" text NOT NULL,
	"detail_model_name" text NOT NULL,
	"car_type_fuel_cd" bigint NOT NULL,
	"fare_id" bigint NOT NULL,
	"approve_status" integer NOT NULL,
	"details" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."reservation_photos" (
	"photo_id" text PRIMARY KEY NOT NULL,
	"reservation_id" bigint NOT NULL,
	"step" text NOT NULL,
	"hash" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."reservations" (
	"reservation_id" bigint PRIMARY KEY NOT NULL,
	"product_id" bigint NOT NULL,
	"car_id" bigint NOT NULL,
	"car_number" text NOT NULL,
	"company_id" bigint NOT NULL,
	"company_name" text NOT NULL,
	"status" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"driving_start_at" timestamp (3) with time zone,
	"driving_end_at" timestamp (3) with time zone,
	"pickup_address" text NOT NULL,
	"driver" jsonb NOT NULL,
	"companion" jsonb,
	"pickup_memo" text,
	"parking_memo" text,
	"parking_lot_type" integer,
	"parking_photo_id" text,
	"dispatch_staff" jsonb,
	"recall_staff" jsonb,
	"fail_at" timestamp (3) with time zone,
	"moves" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."schedules" (
	"schedule_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."schedules_schedule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 5001 CACHE 1),
	"car_id" bigint NOT NULL,
	"schedule_type" text NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	"reservation_id" bigint,
	CONSTRAINT "schedules_reservation_id_unique" UNIQUE("reservation_id")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sandbox"."cars" ADD CONSTRAINT "cars_company_id_companies_company_id_fk" FOREIGN KEY ("company_id") REFERENCES "sandbox"."companies"("company_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox"."product_cars" ADD CONSTRAINT "product_cars_product_id_products_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "sandbox"."products"("product_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox"."product_cars" ADD CONSTRAINT "product_cars_car_id_cars_car_id_fk" FOREIGN KEY ("car_id") REFERENCES "sandbox"."cars"("car_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox"."products" ADD CONSTRAINT "products_company_id_companies_company_id_fk" FOREIGN KEY ("company_id") REFERENCES "sandbox"."companies"("company_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox"."reservation_photos" ADD CONSTRAINT "reservation_photos_hash_photos_hash_fk" FOREIGN KEY ("hash") REFERENCES "sandbox"."photos"("hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox"."schedules" ADD CONSTRAINT "schedules_car_id_cars_car_id_fk" FOREIGN KEY ("car_id") REFERENCES "sandbox"."cars"("car_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "callbacks_waiting" ON "sandbox"."callbacks" USING btree ("next_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "callbacks_reservation" ON "sandbox"."callbacks" USING btree ("reservation_id","callback_id");--> statement-breakpoint
CREATE INDEX "cars_company" ON "sandbox"."cars" USING btree ("company_id","car_id");--> statement-breakpoint
CREATE INDEX "journal_reservation" ON "sandbox"."journal" USING btree ("reservation_id","journal_id");--> statement-breakpoint
CREATE INDEX "journal_operation" ON "sandbox"."journal" USING btree ("operation","journal_id");--> statement-breakpoint
CREATE INDEX "product_cars_car" ON "sandbox"."product_cars" USING btree ("car_id");--> statement-breakpoint
CREATE INDEX "products_company" ON "sandbox"."products" USING btree ("company_id","product_id");--> statement-breakpoint
CREATE INDEX "products_fare" ON "sandbox"."products" USING btree ("fare_id");--> statement-breakpoint
CREATE INDEX "reservation_photos_reservation" ON "sandbox"."reservation_photos" USING btree ("reservation_id");--> statement-breakpoint
CREATE INDEX "reservations_end" ON "sandbox"."reservations" USING btree ("end_at") WHERE status in (5, 10, 15, 20);--> statement-breakpoint
CREATE INDEX "reservations_fail" ON "sandbox"."reservations" USING btree ("fail_at") WHERE fail_at is not null;--> statement-breakpoint
CREATE INDEX "reservations_car" ON "sandbox"."reservations" USING btree ("car_id");--> statement-breakpoint
ALTER TABLE "sandbox"."schedules" ADD CONSTRAINT "schedules_ordered" CHECK ("end_at" > "start_at");--> statement-breakpoint
ALTER TABLE "sandbox"."schedules" ADD CONSTRAINT "schedules_no_overlap" EXCLUDE USING gist ("car_id" WITH =, tstzrange("start_at", "end_at", '[)') WITH &&);
