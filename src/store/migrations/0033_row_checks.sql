CREATE TABLE "row_checks" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"version" integer NOT NULL,
	"database" text,
	"place" bigint DEFAULT 0 NOT NULL,
	"is_urgent" boolean NOT NULL,
	"began_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
