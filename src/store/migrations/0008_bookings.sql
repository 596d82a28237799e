CREATE TABLE "bookings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"command_id" text NOT NULL,
	"run_id" text NOT NULL,
	"by" text NOT NULL,
	"mark" "bytea" NOT NULL,
	"product_id" bigint NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"request" "bytea",
	"state" text DEFAULT 'out' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"code" text,
	"message" "bytea",
	"candidates" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reservation_id" bigint,
	"settled_by" text,
	"settled_at" timestamp (3) with time zone,
	"settlement_id" text,
	"status" text,
	"car_number" text,
	"pickup_at" timestamp (3) with time zone,
	"return_at" timestamp (3) with time zone,
	CONSTRAINT "bookings_command_id_unique" UNIQUE("command_id"),
	CONSTRAINT "bookings_state" CHECK ("bookings"."state" in ('out', 'unknown', 'ambiguous', 'applied', 'rejected')),
	CONSTRAINT "bookings_applied_to" CHECK (("bookings"."state" = 'applied') = ("bookings"."reservation_id" is not null)),
	CONSTRAINT "bookings_request_until_settled" CHECK (("bookings"."state" in ('applied', 'rejected')) = ("bookings"."request" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_claim" ON "bookings" USING btree ("reservation_id") WHERE "bookings"."settled_by" <> 'answer';--> statement-breakpoint
CREATE INDEX "bookings_reservation" ON "bookings" USING btree ("reservation_id");--> statement-breakpoint
CREATE INDEX "bookings_state" ON "bookings" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "bookings_open" ON "bookings" USING btree ("product_id","start_at","end_at") WHERE "bookings"."state" in ('out', 'unknown', 'ambiguous');