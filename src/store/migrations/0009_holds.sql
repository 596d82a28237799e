CREATE TABLE "holds" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"hold_id" text NOT NULL,
	"car_id" bigint NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"withdraw_from_sale" boolean NOT NULL,
	"reservation_id" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"attention" text[] NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL,
	"view" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "holds_id" ON "holds" USING btree ("hold_id");--> statement-breakpoint
CREATE INDEX "holds_car" ON "holds" USING btree ("car_id","seq");--> statement-breakpoint
CREATE INDEX "holds_open" ON "holds" USING btree ("seq") WHERE "holds"."ended_at" is null;