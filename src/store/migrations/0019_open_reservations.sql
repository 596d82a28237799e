CREATE TABLE "open_reservations" (
	"reservation_id" bigint PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"written_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"status" integer,
	"grade" text,
	"since" timestamp (3) with time zone,
	"car_id" bigint,
	"company_id" bigint,
	"product_id" bigint,
	"start_at" timestamp (3) with time zone,
	"end_at" timestamp (3) with time zone,
	"attention" jsonb NOT NULL,
	"next" text,
	"unknown_commands" integer NOT NULL,
	"waiting_commands" integer NOT NULL,
	"at_risk" boolean NOT NULL,
	"plate" text,
	"plate_end" text,
	"personal" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE INDEX "open_reservations_start" ON "open_reservations" USING btree (coalesce("start_at", 'infinity'::timestamptz),"reservation_id");--> statement-breakpoint
CREATE INDEX "open_reservations_car" ON "open_reservations" USING btree ("car_id");