-- Locks: storefronts (ACCESS EXCLUSIVE)

-- What customers may change in the portal: the quantity, and the plans to switch between. Nothing by default.
ALTER TABLE storefronts
  ADD COLUMN portal_quantity boolean DEFAULT false NOT NULL,
  ADD COLUMN portal_plan_ids text[] DEFAULT ARRAY[]::text[];
