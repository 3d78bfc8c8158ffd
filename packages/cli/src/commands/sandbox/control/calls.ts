import type { CliContext } from '../../../terminal/context.ts';
import { type OutputFormat, writeAnswer } from '../../../terminal/output.ts';
import { printTable } from '../../../terminal/table.ts';
import { askSandbox } from './ask-sandbox.ts';

type CallsFlags = { readonly since: number; readonly output?: OutputFormat };
type PrintedCall = {
  readonly number: number;
  readonly time: string;
  readonly service: string;
  readonly operation: string;
  readonly input: object;
  readonly outcome: { readonly kind: 'answered' } | { readonly kind: 'refused'; readonly code: string };
};

export async function listCalls(this: CliContext, { since, output }: CallsFlags): Promise<void> {
  const calls = await askSandbox<{ kind: string; items: readonly PrintedCall[] }>({
    method: 'GET',
    path: `/calls?since=${since}`,
  });
  const rows = calls.items.map((call) => [
    String(call.number),
    call.time,
    `${call.service}:${call.operation}`,
    call.outcome.kind === 'refused' ? call.outcome.code : 'ok',
    shortenCall(JSON.stringify(call.input)),
  ]);
  writeAnswer(this, output, {
    object: calls,
    text: rows.length === 0 ? 'no calls' : printTable(['NUMBER', 'TIME', 'CALL', 'OUTCOME', 'INPUT'], rows),
  });
}

const shortenCall = (text: string): string => (text.length <= 100 ? text : `${text.slice(0, 99)}…`);
