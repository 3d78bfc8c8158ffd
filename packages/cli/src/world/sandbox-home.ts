import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instant } from '@nodewright/apis';
import type { AccessKey, CatalogueName } from '@nodewright/aws-endpoints';
import { forgetfulLedger, type Ledger, type StorageProblem } from '@nodewright/runtime';
import type { Certificates, Ports } from './endpoints.ts';

/** What a sandbox is from its first start on. */
export type Identity = {
  readonly clusterName: string;
  readonly region: string;
  readonly zones: readonly string[];
  readonly seed: number;
  /** How often it was started. */
  readonly starts: number;
  readonly ports: Ports;
  /** None where the Kubernetes API is not the sandbox's own. */
  readonly certificates?: Certificates;
  /** None in a directory of an earlier release. */
  readonly accessKey?: AccessKey;
  /** Which instance types there are, where a test has left the directory [as the flags say]. */
  readonly catalogue?: CatalogueName;
  /** RFC 3339: no release comes out later by itself, where a test has left the directory. */
  readonly releasesUntil?: string;
};

/** The folder in which a sandbox lives, and what was there before. */
export type SandboxHome = {
  readonly folder: string;
  /** None on the first start. */
  readonly identity?: Identity;
  /** When the last thing happened that is kept. */
  readonly last?: Instant;
  remember(identity: Identity): void;
  ledger(now: () => Instant, options: StorageOptions): Ledger;
  close(): void;
};

export type StorageOptions = {
  /** Told when changes cannot be kept any more, and when they can again. */
  readonly onProblem: (problem: StorageProblem | undefined) => void;
};

/** A home that is gone with the process. */
export function temporaryHome(): SandboxHome {
  const folder = mkdtempSync(join(tmpdir(), 'nodewright-sandbox-'));
  return {
    folder,
    remember: () => undefined,
    ledger: forgetfulLedger,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
