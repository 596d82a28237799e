CREATE TABLE "schedule_entries" (
	"schedule_id" bigint PRIMARY KEY NOT NULL,
	"car_id" bigint NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "schedule_entries_end" ON "schedule_entries" USING btree ("end_at");