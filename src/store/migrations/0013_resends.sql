ALTER TABLE "inbox" ADD COLUMN "resends" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "inbox" ADD COLUMN "resent_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "inbox_resent" ON "inbox" USING btree ("state","id") WHERE "inbox"."resends" > 0;