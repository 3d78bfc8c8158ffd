import { createHmac } from 'node:crypto';
import { instant, seconds } from '@nodewright/apis';
import type { Clock, Ledger, Random } from '@nodewright/runtime';
import type { Role } from '../iam/model.ts';
import type { AccessKey } from '../signature/access-key.ts';
import type { TemporaryKey } from '../signature/temporary-key.ts';

/** A principal with the temporary credentials of a role. */
export type RoleSession = TemporaryKey & {
  readonly role: Pick<Role, 'name' | 'id' | 'arn'>;
  /** The name that the caller gave to the session. */
  readonly name: string;
};

type KeptSession = Pick<RoleSession, 'role' | 'name' | 'expiresAt'>;

type SessionsDeps = {
  readonly ledger: Ledger;
  readonly random: Random;
  /** The clients' time: a client throws credentials away that have expired by its own clock. */
  readonly clock: Pick<Clock, 'now'>;
  readonly accessKey: AccessKey | undefined;
};

/**
 * The sessions of roles, by the ids of their keys. Secrets are not stored: they follow from the secret of the administrator
 * and the id, so they cannot be computed without that secret.
 */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #kept: Map<string, KeptSession>;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#kept = deps.ledger.map('sts/sessions');
  }

  open({ name: roleName, id, arn }: Role, name: string, durationSeconds: number): RoleSession {
    const now = this.#deps.clock.now();
    for (const [key, { expiresAt }] of this.#kept) if (expiresAt < now) this.#kept.delete(key);
    const accessKeyId = this.#unusedId();
    const kept = { role: { name: roleName, id, arn }, name, expiresAt: instant(now + seconds(durationSeconds)) };
    this.#kept.set(accessKeyId, kept);
    return this.#sessionOf(accessKeyId, kept);
  }

  /** The session of a key, also when it has expired a short while ago. */
  find(accessKeyId: string): RoleSession | undefined {
    const kept = this.#kept.get(accessKeyId);
    return kept && this.#sessionOf(accessKeyId, kept);
  }

  #unusedId(): string {
    for (;;) {
      const id = `ASIA${this.#deps.random.hex(16).toUpperCase()}`;
      if (!this.#kept.has(id)) return id;
    }
  }

  #sessionOf(accessKeyId: string, kept: KeptSession): RoleSession {
    const derive = (purpose: string): string =>
      createHmac('sha256', this.#deps.accessKey?.secretAccessKey ?? 'sandbox')
        .update(`${purpose} ${accessKeyId}`)
        .digest('base64');
    return {
      ...kept,
      accessKeyId,
      secretAccessKey: derive('secret').slice(0, 40),
      sessionToken: derive('token'),
    };
  }
}
