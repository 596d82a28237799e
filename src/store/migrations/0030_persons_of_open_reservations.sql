CREATE TABLE "unlisted_reservations" (
	"reservation_id" bigint PRIMARY KEY NOT NULL,
	"persons" text[] NOT NULL,
	"removed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "open_reservations" ADD COLUMN "persons" text[];