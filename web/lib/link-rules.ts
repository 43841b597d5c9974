import { createContext } from 'react';

/** What a link needs to know about its target. */
interface LinkRules {
  preload: (address: string) => void;
  needsOwnDocument: (address: string) => boolean;
}

export const LinkRulesContext = createContext<LinkRules>({
  preload: () => undefined,
  needsOwnDocument: () => false,
});
