CREATE TABLE "audit" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"reason" "bytea",
	"data" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbox_replays" (
	"inbox_id" bigint NOT NULL,
	"replay" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL,
	"reservation_id" bigint,
	"state" text NOT NULL,
	"verdict" text,
	"rule" text,
	"verdict_at" timestamp (3) with time zone,
	"failures" integer NOT NULL,
	"last_error" text,
	CONSTRAINT "inbox_replays_inbox_id_replay_pk" PRIMARY KEY("inbox_id","replay")
);
--> statement-breakpoint
ALTER TABLE "inbox" ADD COLUMN "replays" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "inbox" ADD COLUMN "replayed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "audit_subject" ON "audit" USING btree ("subject","id");--> statement-breakpoint
CREATE INDEX "audit_action" ON "audit" USING btree ("action","id");