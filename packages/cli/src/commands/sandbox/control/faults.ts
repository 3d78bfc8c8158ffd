import type { CliContext } from '../../../terminal/context.ts';
import { type OutputFormat, writeAnswer } from '../../../terminal/output.ts';
import { printTable } from '../../../terminal/table.ts';
import { askSandbox } from './ask-sandbox.ts';

type FaultListFlags = { readonly output?: OutputFormat };
type PrintedFault = { readonly id: string; readonly fault: { readonly kind: string } };
type FaultList = { readonly kind: 'FaultList'; readonly items: readonly PrintedFault[] };

/** The fields of a fault as flags; which of them a kind has, the sandbox knows and says. */
export type FaultFlags = FaultListFlags & {
  readonly service?: string;
  readonly operation?: string;
  readonly times?: number;
  readonly delay?: number;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: string;
  readonly vcpus?: number;
  readonly quotaCode?: string;
  readonly name?: string;
  readonly subnet?: string;
  readonly nodegroup?: string;
  readonly code?: string;
  readonly message?: string;
  readonly category?: string;
  readonly status?: string;
  /** Milliseconds, as the next. */
  readonly lag?: number;
  readonly notice?: number;
  readonly instanceId?: string;
  readonly capacityReservationId?: string;
  readonly check?: string;
  readonly behavior?: string;
  readonly pods?: Readonly<Record<string, string>>;
};

export async function listFaults(this: CliContext, flags: FaultListFlags): Promise<void> {
  answerWithFaults(this, flags, await askSandbox({ method: 'GET', path: '/faults' }));
}

export async function addFault(this: CliContext, flags: FaultFlags, kind: string): Promise<void> {
  const { output, delay: delayMs, lag: lagMs, notice: noticeMs, behavior, ...fields } = flags;
  const fault = {
    kind,
    ...fields,
    ...(behavior !== undefined && { behavior: camelCase(behavior) }),
    ...(delayMs !== undefined && { delayMs }),
    ...(lagMs !== undefined && { lagMs }),
    ...(noticeMs !== undefined && { noticeMs }),
  };
  answerWithFaults(
    this,
    output === undefined ? {} : { output },
    await askSandbox({ method: 'POST', path: '/faults', body: fault }),
  );
}

export async function clearFaults(this: CliContext, flags: FaultListFlags, id?: string): Promise<void> {
  const path = id === undefined ? '/faults' : `/faults?id=${encodeURIComponent(id)}`;
  answerWithFaults(this, flags, await askSandbox({ method: 'DELETE', path }));
}

function answerWithFaults(context: CliContext, { output }: FaultListFlags, list: FaultList): void {
  const rows = list.items.map(({ id, fault: { kind, ...fields } }) => [id, kind, describeFields(fields)]);
  const text = rows.length === 0 ? 'no faults' : printTable(['ID', 'KIND', 'CONCERNS'], rows);
  writeAnswer(context, output, { object: list, text });
}

const describeFields = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(' ') || 'everything';

/** Behaviors of nodes are in camel case; people may type `never-joins`. */
const camelCase = (text: string): string => text.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
