ALTER TABLE "audit" ADD COLUMN "command_id" text;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_command" ON "audit" USING btree ("command_id","action") WHERE "audit"."command_id" is not null;