ALTER TABLE "bookings" ADD COLUMN "settlement_mark" "bytea";--> statement-breakpoint
ALTER TABLE "shifts" ADD COLUMN "mark" "bytea";