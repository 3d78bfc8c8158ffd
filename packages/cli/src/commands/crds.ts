import { crds, ownCrds, printYaml } from '@nodewright/apis';
import type { CliContext } from '../context.ts';

export function printCrds(this: CliContext): void {
  this.process.stdout.write(printYaml(crds()));
  this.process.stdout.write(`# Nodewright's own kinds: policy that only Nodewright reads.\n${printYaml(ownCrds())}`);
}
