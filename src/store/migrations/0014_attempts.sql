CREATE TABLE "attempts" (
	"command" text NOT NULL,
	"attempt" text NOT NULL,
	"run_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "attempts_command_attempt_pk" PRIMARY KEY("command","attempt")
);
--> statement-breakpoint
CREATE INDEX "attempts_at" ON "attempts" USING brin ("at");