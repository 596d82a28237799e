CREATE TABLE "shifts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"note" "bytea",
	"command_id" text NOT NULL,
	CONSTRAINT "shifts_command_id_unique" UNIQUE("command_id")
);
