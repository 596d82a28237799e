CREATE TABLE "attention_claims" (
	"reservation_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"owner" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "attention_claims_reservation_id_kind_pk" PRIMARY KEY("reservation_id","kind")
);
--> statement-breakpoint
ALTER TABLE "attention_claims" ADD CONSTRAINT "attention_claims_reservation_id_open_reservations_reservation_id_fk" FOREIGN KEY ("reservation_id") REFERENCES "open_reservations"("reservation_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attention_claims_owner" ON "attention_claims" USING btree ("owner");--> statement-breakpoint
CREATE FUNCTION handover_claim_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE claim attention_claims := coalesce(NEW, OLD);
BEGIN
  PERFORM handover_notify_change('claim', to_jsonb(claim.reservation_id), ARRAY[claim.kind]);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER claim_changed AFTER INSERT OR UPDATE OR DELETE ON "attention_claims"
  FOR EACH ROW EXECUTE FUNCTION handover_claim_changed();
