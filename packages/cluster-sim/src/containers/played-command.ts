import type { Container } from '@nodewright/apis';

/** Images whose arguments are a command: they have no program of their own. */
const imagesWithoutProgram = /(^|\/)(alpine|amazonlinux|bash|busybox|debian|fedora|rockylinux|ubuntu)([:@]|$)/;

type InputContainer = Container & { readonly stdin?: boolean };

/**
 * The command of a container, as far as it is known: its command with its arguments, or the arguments of an image that has
 * no program. Such an image with an input runs a shell. Empty for a program that the image decides on.
 */
export function playedCommand({ image = '', command = [], args = [], stdin }: InputContainer): readonly string[] {
  if (command.length > 0) return [...command, ...args];
  if (!imagesWithoutProgram.test(image)) return [];
  return args.length === 0 && stdin === true ? ['sh'] : args;
}

/** Whether a command is a shell that reads what it is sent. */
export const isShell = ([path = '', ...args]: readonly string[]): boolean =>
  /(^|\/)(sh|bash|ash)$/.test(path) && !args.some((arg) => /^-[a-z]*c$/.test(arg));

/** Whether a container runs a shell until a client that is attached to it leaves the shell. */
export const waitsForInput = (container: InputContainer): boolean =>
  container.stdin === true && isShell(playedCommand(container));

/** The annotation of a pod with the exit code of such a shell. */
export const shellEndAnnotation = (container: string): string => `sandbox.nodewright.dev/exit-code.${container}`;
