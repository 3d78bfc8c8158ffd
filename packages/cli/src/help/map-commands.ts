import type { Command, CommandContext, RouteMap } from '@stricli/core';

type Target<Context extends CommandContext> = Command<Context> | RouteMap<Context>;

/** What a command becomes; `path` has the words that lead to it. */
export type CommandChange<Context extends CommandContext> = (
  command: Command<Context>,
  path: readonly string[],
) => Command<Context>;

const isRouteMap = <Context extends CommandContext>(target: Target<Context>): target is RouteMap<Context> =>
  'getAllEntries' in target;

type MapOptions = {
  /** What becomes of the help of each list of commands [nothing]. */
  readonly changeHelp?: (help: string) => string;
  /** The words that lead to the routes [none]. */
  readonly path?: readonly string[];
};

/** Routes of commands in which every command is changed. */
export function mapCommands<Context extends CommandContext>(
  routes: RouteMap<Context>,
  change: CommandChange<Context>,
  { changeHelp = (help) => help, path = [] }: MapOptions = {},
): RouteMap<Context> {
  const entries = routes.getAllEntries().map((entry) => {
    const words = [...path, entry.name['convert-camel-to-kebab']];
    const { target } = entry;
    return {
      ...entry,
      target: isRouteMap(target) ? mapCommands(target, change, { changeHelp, path: words }) : change(target, words),
      old: target,
    };
  });
  const changed = <T extends Target<Context>>(old: T): Target<Context> =>
    entries.find((entry) => entry.old === old)?.target ?? old;
  return {
    ...routes,
    formatHelp: (args) => changeHelp(routes.formatHelp(args)),
    getAllEntries: () => entries,
    getRoutingTargetForInput: (input) => {
      const target = routes.getRoutingTargetForInput(input);
      return target && changed(target);
    },
    getDefaultCommand: () => {
      const command = routes.getDefaultCommand();
      const target = command && changed(command);
      return target === undefined || isRouteMap(target) ? command : target;
    },
  };
}
