/** How a person types this command again. */
export const testCommandLine = 'nodewright test';
