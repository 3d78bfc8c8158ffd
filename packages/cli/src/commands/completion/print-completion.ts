import type { CliContext } from '../../terminal/context.ts';
import { type CompletionShell, completionScripts } from './scripts.ts';

export function printCompletion(this: CliContext, _flags: object, shell: CompletionShell): void {
  this.process.stdout.write(completionScripts[shell]);
}
