CREATE FUNCTION handover_claims_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM attention_claims claim WHERE claim.reservation_id = NEW.reservation_id
    AND NOT NEW.attention @> jsonb_build_array(jsonb_build_object('kind', claim.kind));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER claims_end AFTER UPDATE OF "attention" ON "open_reservations"
  FOR EACH ROW WHEN (OLD.attention <> NEW.attention) EXECUTE FUNCTION handover_claims_end();--> statement-breakpoint
DELETE FROM attention_claims claim USING open_reservations listed WHERE listed.reservation_id = claim.reservation_id
  AND NOT listed.attention @> jsonb_build_array(jsonb_build_object('kind', claim.kind));
