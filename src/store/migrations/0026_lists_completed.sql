CREATE TABLE "lists_completed" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
-- a new database: there is no reservation yet, so lists are complete
INSERT INTO "lists_completed" ("id") SELECT 1 WHERE NOT EXISTS (SELECT FROM "inbox") AND NOT EXISTS (SELECT FROM "timeline");
