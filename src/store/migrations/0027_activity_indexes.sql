CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_at" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "timeline_activity" ON "timeline" USING btree ("at") WHERE "timeline"."kind" <> 'event' and ("timeline"."data" ? 'by' or "timeline"."data" ? 'kind');
