import type { Context } from '../../context.ts';
import { type OutputFormat, writeAnswer } from '../../output.ts';
import { printTable } from '../../table.ts';
import { pullLever } from './control.ts';

/** Which releases; what is left out matches everything. */
export type ReleaseFields = {
  readonly family?: string;
  readonly variant?: string;
  readonly arch?: string;
  readonly k8s?: string;
  readonly version?: string;
  readonly imageId?: string;
};

export type ReleaseFlags = ReleaseFields & { readonly output?: OutputFormat };
export type ListFlags = ReleaseFlags & { readonly upcoming: boolean };
export type PublishFlags = ReleaseFlags & Timing & { readonly behavior?: string };
export type WithdrawFlags = ReleaseFlags & { readonly keepImage: boolean };

type Timing = { readonly publishedAt?: string; readonly createdAt?: string; readonly promotedAt?: string };

type Release = {
  readonly family: string;
  readonly variant: string;
  readonly arch: string;
  readonly kubernetesVersion: string;
  readonly version: string;
  readonly imageId: string;
  readonly publishedAt: string;
  readonly deprecatedAt?: string;
  readonly withdrawnAt?: string;
  readonly recalledAt?: string;
  readonly behavior?: string;
};
type ReleaseList = { readonly kind: 'ReleaseList'; readonly items: readonly Release[] };

export async function listReleases(this: Context, { output, upcoming, ...which }: ListFlags): Promise<void> {
  const query = new URLSearchParams({ kubernetesVersion: 'current', ...fieldsOf(which) });
  const list = await pullLever<ReleaseList>({ method: 'GET', path: `/releases?${query.toString()}` });
  const { now } = await pullLever<{ now: string }>({ method: 'GET', path: '/clock' });
  const items = list.items.filter(({ publishedAt }) => upcoming || publishedAt <= now);
  answer(this, { ...list, items }, { output, now });
}

export async function publishRelease(this: Context, flags: PublishFlags): Promise<void> {
  const { output, behavior, publishedAt, createdAt, promotedAt, ...which } = flags;
  const timing = { publishedAt, createdAt, promotedAt };
  await post(this, { action: 'publish', ...fieldsOf(which), behavior, ...timing }, output);
}

export async function withdrawRelease(this: Context, { output, keepImage, ...which }: WithdrawFlags): Promise<void> {
  await post(this, { action: 'withdraw', keepImage, ...fieldsOf(which) }, output);
}

export async function deprecateRelease(this: Context, { output, ...which }: ReleaseFlags): Promise<void> {
  await post(this, { action: 'deprecate', ...fieldsOf(which) }, output);
}

async function post(context: Context, body: object, output: OutputFormat | undefined): Promise<void> {
  const list = await pullLever<ReleaseList>({ method: 'POST', path: '/releases', body });
  const { now } = await pullLever<{ now: string }>({ method: 'GET', path: '/clock' });
  answer(context, list, { output, now });
}

const fieldsOf = ({ k8s, ...others }: ReleaseFields): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...others, kubernetesVersion: k8s }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );

type View = { readonly output: OutputFormat | undefined; readonly now: string };

function answer(context: Context, list: ReleaseList, { output, now }: View): void {
  const rows = list.items.map((release) => [
    release.family,
    release.version,
    release.variant,
    release.arch,
    release.kubernetesVersion,
    release.imageId,
    release.publishedAt,
    stateOf(release, now),
  ]);
  const header = ['FAMILY', 'VERSION', 'VARIANT', 'ARCH', 'K8S', 'IMAGE', 'PUBLISHED', 'STATE'];
  writeAnswer(context, output, { object: list, text: printTable(header, rows) });
}

function stateOf(release: Release, now: string): string {
  const { behavior = 'healthy' } = release;
  const state = standingOf(release, now);
  return behavior === 'healthy' ? state : `${state} (${behavior})`;
}

function standingOf({ publishedAt, withdrawnAt, recalledAt, deprecatedAt }: Release, now: string): string {
  const isPast = (time: string | undefined): boolean => time !== undefined && time <= now;
  if (isPast(withdrawnAt)) return 'withdrawn';
  if (!isPast(publishedAt)) return 'upcoming';
  if (isPast(recalledAt)) return 'withdrawn, image kept';
  return isPast(deprecatedAt) ? 'deprecated' : 'published';
}
