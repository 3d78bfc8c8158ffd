/**
 * How many huge pages of 2 MiB a shell script sets aside at boot: with `sysctl`, or in the file of the kernel. What it
 * writes to a file such as `/etc/sysctl.conf` counts from the next boot on. The last command wins.
 * @see https://docs.kernel.org/admin-guide/mm/hugetlbpage.html
 */
export function readHugePages(script: string): number | undefined {
  const commands = script.split('\n').filter((line) => !/^\s*#/.test(line));
  const last = commands.findLast((command) => matchPages(command) !== undefined);
  return last === undefined ? undefined : Number(matchPages(last));
}

const kernelFile = String.raw`(?:/proc/sys/vm|/sys/kernel/mm/hugepages/hugepages-2048kB)/nr_hugepages`;
const pagesByFile = new RegExp(String.raw`\becho\s+["']?(\d+)["']?\s*(?:>>?|\|\s*(?:sudo\s+)?tee)\s*${kernelFile}`);
const pagesBySysctl = /\bsysctl\s(?:.*\s)?["']?vm\.nr_hugepages\s*=\s*(\d+)/;

const matchPages = (command: string): string | undefined =>
  pagesBySysctl.exec(command)?.[1] ?? pagesByFile.exec(command)?.[1];
