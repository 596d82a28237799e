CREATE TABLE "findings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"schedule_id" bigint,
	"car_id" bigint NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"reservation_id" bigint,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"reads" integer NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "findings_closed" CHECK (("findings"."closed_at" is null) = ("findings"."state" in ('seen', 'open')))
);
--> statement-breakpoint
CREATE TABLE "schedule_checks" (
	"reservation_id" bigint PRIMARY KEY NOT NULL,
	"schedule_id" bigint,
	"told" text,
	"told_at" timestamp (3) with time zone,
	"waiting" jsonb
);
--> statement-breakpoint
CREATE TABLE "schedule_reads" (
	"run" text NOT NULL,
	"slice" integer NOT NULL,
	"schedule_id" bigint NOT NULL,
	"car_id" bigint NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "schedule_reads_run_slice_schedule_id_pk" PRIMARY KEY("run","slice","schedule_id")
);
--> statement-breakpoint
CREATE INDEX "findings_open" ON "findings" USING btree ("id") WHERE "findings"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "findings_kind" ON "findings" USING btree ("kind","id");--> statement-breakpoint
CREATE INDEX "schedule_checks_waiting" ON "schedule_checks" USING btree ("reservation_id") WHERE "schedule_checks"."waiting" is not null;