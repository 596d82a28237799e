CREATE TABLE "inbox" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"identity" text NOT NULL,
	"event_id" text NOT NULL,
	"channel" text NOT NULL,
	"path" text NOT NULL,
	"reservation_id" bigint,
	"received_at" timestamp (3) with time zone NOT NULL,
	"headers" jsonb NOT NULL,
	"raw" "bytea" NOT NULL,
	"content_hash" text NOT NULL,
	"copies" integer DEFAULT 1 NOT NULL,
	"state" text DEFAULT 'received' NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"verdict" text,
	"rule" text,
	"verdict_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	CONSTRAINT "inbox_state" CHECK ("inbox"."state" in ('received', 'sent', 'done')),
	CONSTRAINT "inbox_done_has_verdict" CHECK (("inbox"."state" = 'done') = ("inbox"."verdict" is not null))
);
--> statement-breakpoint
CREATE TABLE "timeline" (
	"reservation_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"rule" text NOT NULL,
	"text" text NOT NULL,
	"data" jsonb NOT NULL,
	CONSTRAINT "timeline_reservation_id_seq_pk" PRIMARY KEY("reservation_id","seq")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_webhook_id" ON "inbox" USING btree ("event_id") WHERE "inbox"."identity" = 'webhook-id';--> statement-breakpoint
CREATE INDEX "inbox_reservation" ON "inbox" USING btree ("reservation_id","id");--> statement-breakpoint
CREATE INDEX "inbox_waiting" ON "inbox" USING btree ("id") WHERE "inbox"."state" = 'received';--> statement-breakpoint
CREATE INDEX "inbox_waiting_reservation" ON "inbox" USING btree ("reservation_id","id") WHERE "inbox"."state" = 'received';