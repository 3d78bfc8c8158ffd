import { listKarpenterCrds, ownCrds, printYaml } from '@nodewright/apis';
import type { CliContext } from '../../terminal/context.ts';

export function printCrds(this: CliContext): void {
  this.process.stdout.write(printYaml(listKarpenterCrds()));
  this.process.stdout.write(`# Nodewright's own kinds: policy that only Nodewright reads.\n${printYaml(ownCrds())}`);
}
