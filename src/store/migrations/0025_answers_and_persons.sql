CREATE TABLE "answers" (
	"action" text NOT NULL,
	"command_id" text NOT NULL,
	"request" text NOT NULL,
	"answer" jsonb,
	CONSTRAINT "answers_action_command_id_pk" PRIMARY KEY("action","command_id")
);
--> statement-breakpoint
CREATE TABLE "persons" (
	"name" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"logged_in_at" timestamp (3) with time zone NOT NULL
);
