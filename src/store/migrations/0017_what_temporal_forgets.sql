CREATE TABLE "car_writes" (
	"command_id" text PRIMARY KEY NOT NULL,
	"mark" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"result" "bytea"
);
--> statement-breakpoint
CREATE TABLE "ended_reservations" (
	"reservation_id" bigint PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"noted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "last_reconciliation" (
	"id" integer PRIMARY KEY NOT NULL,
	"completed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "unsent" "bytea";--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "notified_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "bookings_unsent" ON "bookings" USING btree ("settled_at") WHERE "bookings"."unsent" is not null;