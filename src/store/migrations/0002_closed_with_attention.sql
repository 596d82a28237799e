ALTER TABLE "case_files" ADD COLUMN "attention" text[] NOT NULL;--> statement-breakpoint
CREATE INDEX "case_files_car" ON "case_files" USING btree ("car_id","closed_at");