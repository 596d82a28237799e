-- What is written is notified of with its transaction (src/store/changes/channel.ts): [event, id, [codes]], nothing personal.
CREATE FUNCTION handover_notify_change(event text, id jsonb, codes text[]) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('handover_changes', jsonb_build_array(event, id, to_jsonb(array_remove(codes, NULL)))::text)
$$;--> statement-breakpoint
CREATE FUNCTION handover_timeline_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM handover_notify_change('reservation', to_jsonb(written.reservation_id), written.codes) FROM (
    SELECT reservation_id, array_agg(DISTINCT coalesce(data ->> 'verdict', rule)) AS codes FROM changed GROUP BY reservation_id
  ) AS written;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER timeline_changed AFTER INSERT ON "timeline" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION handover_timeline_changed();--> statement-breakpoint
CREATE FUNCTION handover_case_file_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM handover_notify_change('reservation', to_jsonb(NEW.reservation_id), ARRAY['closed']);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER case_file_changed AFTER INSERT OR UPDATE ON "case_files"
  FOR EACH ROW EXECUTE FUNCTION handover_case_file_changed();--> statement-breakpoint
CREATE FUNCTION handover_callback_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM handover_notify_change('callback', to_jsonb(NEW.id), ARRAY[NEW.state, NEW.verdict]);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER callback_changed AFTER UPDATE ON "inbox"
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state AND NEW.state <> 'sent') EXECUTE FUNCTION handover_callback_changed();--> statement-breakpoint
CREATE FUNCTION handover_alert_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM handover_notify_change('alert', to_jsonb(NEW.id), ARRAY[NEW.kind, CASE WHEN NEW.cleared_at IS NULL THEN 'open' ELSE 'cleared' END]);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER alert_changed AFTER INSERT OR UPDATE ON "alerts"
  FOR EACH ROW EXECUTE FUNCTION handover_alert_changed();--> statement-breakpoint
CREATE FUNCTION handover_finding_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR NEW.state IS DISTINCT FROM OLD.state THEN
    PERFORM handover_notify_change('finding', to_jsonb(NEW.id), ARRAY[NEW.kind, NEW.state]);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER finding_changed AFTER INSERT OR UPDATE ON "findings"
  FOR EACH ROW EXECUTE FUNCTION handover_finding_changed();--> statement-breakpoint
CREATE FUNCTION handover_booking_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR NEW.state IS DISTINCT FROM OLD.state THEN
    PERFORM handover_notify_change('booking', to_jsonb(NEW.command_id), ARRAY[NEW.state, NEW.code]);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER booking_changed AFTER INSERT OR UPDATE ON "bookings"
  FOR EACH ROW EXECUTE FUNCTION handover_booking_changed();--> statement-breakpoint
CREATE FUNCTION handover_hold_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM handover_notify_change('hold', to_jsonb(NEW.hold_id), NEW.state || NEW.attention);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER hold_changed AFTER INSERT OR UPDATE ON "holds"
  FOR EACH ROW EXECUTE FUNCTION handover_hold_changed();
