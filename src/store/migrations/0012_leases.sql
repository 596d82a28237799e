CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"epoch" bigint NOT NULL,
	"address" text,
	"backend_pid" integer,
	"since" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone
);
