DROP INDEX "outbox_message";--> statement-breakpoint
DROP INDEX "outbox_key";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "destination" text DEFAULT 'alerts' NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "headers" jsonb;--> statement-breakpoint
CREATE INDEX "outbox_destination" ON "outbox" USING btree ("destination","id");--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_message" ON "outbox" USING btree ("destination","message_id");--> statement-breakpoint
CREATE INDEX "outbox_key" ON "outbox" USING btree ("destination","key","id");