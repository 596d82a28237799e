ALTER TABLE "inbox" DROP CONSTRAINT "inbox_state";--> statement-breakpoint
ALTER TABLE "inbox" ALTER COLUMN "raw" DROP NOT NULL;--> statement-breakpoint
-- bodies were not encrypted before: what has its verdict loses its own, what still waits becomes a dead letter
UPDATE "inbox" SET "raw" = NULL WHERE "state" = 'done';--> statement-breakpoint
CREATE INDEX "inbox_with_body" ON "inbox" USING btree ("id") WHERE "inbox"."state" in ('done', 'dead') and "inbox"."raw" is not null;--> statement-breakpoint
CREATE INDEX "inbox_dead" ON "inbox" USING btree ("id") WHERE "inbox"."state" = 'dead';--> statement-breakpoint
CREATE INDEX "inbox_received_at" ON "inbox" USING btree ("received_at");--> statement-breakpoint
ALTER TABLE "inbox" ADD CONSTRAINT "inbox_body_until_judged" CHECK ("inbox"."raw" is not null or "inbox"."state" in ('done', 'dead'));--> statement-breakpoint
ALTER TABLE "inbox" ADD CONSTRAINT "inbox_state" CHECK ("inbox"."state" in ('received', 'sent', 'done', 'dead'));