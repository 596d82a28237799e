ALTER TABLE "erasures" ADD COLUMN "bookings" jsonb;--> statement-breakpoint
ALTER TABLE "erasures" ADD COLUMN "holds" jsonb;