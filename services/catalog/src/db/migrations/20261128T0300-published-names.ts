import { sql, type Kysely } from 'kysely'

/**
 * Keeps every name under which an account has published a version for that account: others name
 * `account/agent@version`, which must never mean anything else. A trigger does it, because the
 * previous release renames accounts as well, and never releases a name that is held until infinity.
 * Published versions are never deleted, nor are their accounts.
 *
 * Names that were released before and that no one has claimed are kept again. Those that were
 * claimed stay with their new accounts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION keep_published_name() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM agent WHERE account_id = NEW.account_id AND version_count > 0) THEN
        NEW.held_until = 'infinity';
        NEW.held_by = NULL;
      END IF;
      RETURN NEW;
    END $$`.execute(db)
  await sql`
    CREATE TRIGGER account_name_left BEFORE UPDATE OF held_until ON account_name FOR EACH ROW
      WHEN (OLD.held_until IS NULL AND NEW.held_until IS NOT NULL)
      EXECUTE FUNCTION keep_published_name()`.execute(db)
  // How long each name was held is unknown, so it counts what was published until its hold ended.
  await sql`
    UPDATE account_name AS former SET held_until = 'infinity', held_by = NULL
    WHERE held_until IS NOT NULL AND EXISTS (
      SELECT FROM agent JOIN build ON build.agent_id = agent.id
      WHERE agent.account_id = former.account_id AND build.publish_time < former.held_until
    )`.execute(db)
}
