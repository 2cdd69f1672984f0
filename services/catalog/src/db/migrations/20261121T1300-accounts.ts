import { sql, type Kysely } from 'kysely'

/** Creates the tables of users, accounts, account names and members. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE app_user (
      id uuid PRIMARY KEY,
      realm text COLLATE "C" NOT NULL,
      subject text COLLATE "C" NOT NULL,
      email text,
      first_name text,
      last_name text,
      create_time timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT app_user_identity UNIQUE (realm, subject)
    )`.execute(db)
  await sql`
    CREATE TABLE account (
      id uuid PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      type text NOT NULL CHECK (type IN ('personal', 'team')),
      personal_user_id uuid REFERENCES app_user,
      create_time timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT account_name_unique UNIQUE (name),
      CONSTRAINT account_personal_unique UNIQUE (personal_user_id),
      CONSTRAINT account_id_name UNIQUE (id, name)
    )`.execute(db)
  // Current and reserved names share one primary key, so a name never belongs to two accounts. The
  // two references bind an account to the row of its current name. They are deferred because either
  // row can be written first.
  await sql`
    CREATE TABLE account_name (
      name text COLLATE "C" PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES account DEFERRABLE INITIALLY DEFERRED,
      held_until timestamptz,
      CONSTRAINT account_name_owner UNIQUE (name, account_id)
    )`.execute(db)
  await sql`
    ALTER TABLE account ADD CONSTRAINT account_owns_name
      FOREIGN KEY (name, id) REFERENCES account_name (name, account_id)
      DEFERRABLE INITIALLY DEFERRED`.execute(db)
  await sql`CREATE INDEX account_name_account ON account_name (account_id)`.execute(db)
  await sql`
    CREATE TABLE member (
      account_id uuid REFERENCES account,
      user_id uuid REFERENCES app_user,
      role text NOT NULL CHECK (role IN ('member', 'admin', 'owner')),
      PRIMARY KEY (account_id, user_id)
    )`.execute(db)
  await sql`CREATE INDEX member_user ON member (user_id)`.execute(db)
}
