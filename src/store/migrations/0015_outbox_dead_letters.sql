DROP INDEX "outbox_destination";--> statement-breakpoint
DROP INDEX "inbox_with_body";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "stored_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "refused_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "dead_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("destination","id") WHERE "outbox"."dead_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_dead" ON "outbox" USING btree ("destination","id") WHERE "outbox"."dead_at" is not null;--> statement-breakpoint
CREATE INDEX "inbox_with_body" ON "inbox" USING btree ("received_at") WHERE "inbox"."state" = 'done' and "inbox"."raw" is not null;