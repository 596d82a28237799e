CREATE TABLE "shifts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"note" "bytea",
	"command_id" text NOT NULL,
	CONSTRAINT "shifts_command_id_unique" UNIQUE("command_id")
);
--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "timeline_activity" ON "timeline" USING btree ("at") WHERE "timeline"."kind" <> 'event' and ("timeline"."data" ? 'by' or "timeline"."data" ? 'kind');