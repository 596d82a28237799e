CREATE TABLE "data_keys" (
	"scope" text PRIMARY KEY NOT NULL,
	"wrapped" "bytea",
	"wrapped_under" text NOT NULL,
	"made_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"destroyed_at" timestamp (3) with time zone,
	CONSTRAINT "data_keys_destroyed" CHECK (("data_keys"."wrapped" is null) = ("data_keys"."destroyed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"by" text NOT NULL,
	"cause" text NOT NULL,
	"reservations" jsonb NOT NULL,
	"counts" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payload_remains" (
	"scope" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"payloads" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "persons" text[];--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "case_files" ADD COLUMN "persons" text[];--> statement-breakpoint
ALTER TABLE "case_files" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "case_files" ADD COLUMN "photos_erased_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "data_keys_to_wrap" ON "data_keys" USING btree ("wrapped_under") WHERE "data_keys"."wrapped" is not null;