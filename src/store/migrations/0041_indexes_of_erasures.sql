CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_reason_at" ON "audit" USING btree ("at") WHERE "audit"."reason" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_reason_reservation" ON "audit" USING btree (("data" ->> 'reservationId')) WHERE "audit"."reason" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "holds_reservation" ON "holds" USING btree ("reservation_id") WHERE "holds"."reservation_id" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "outbox_key" ON "outbox" USING btree ("key");