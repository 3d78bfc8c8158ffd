/** A flag that may be left out, with its value: `[--name VALUE]`, or `[--name A[,B]]...`. */
const optionalFlag = / \[--(?:[^[\]]|\[[^\]]*\])*\](?:\.\.\.)?/g;
const usageOfCommand = /^ {2}nodewright .*$/gm;

/** Shortens the help of a list of commands: each line names the flags that its command needs, and not every other one. */
export const shortenUsage = (help: string): string =>
  help.replaceAll(usageOfCommand, (line) => {
    const words = line.search(optionalFlag);
    return words < 0 ? line : `${line.slice(0, words)} [FLAGS]${line.slice(words).replaceAll(optionalFlag, '')}`;
  });
