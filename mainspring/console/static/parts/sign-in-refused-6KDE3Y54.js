// pages/sign-in-refused.ts
var SAID = {
  en: {
    known: {
      provider_away: "The provider does not answer, or not as it should. Sign in with a password or a token, or try again later.",
      sign_in_refused: "The sign-in at the provider did not succeed: it did not let you in, its answer was not the one that was asked for, or you are in no group that has a role here. Try again, or ask an admin.",
      sign_in_expired: "The sign-in at the provider took too long, or was begun in another browser. Begin it again."
    },
    other: (code) => `The sign-in at the provider did not succeed (${code}). Try again, or ask an admin.`
  },
  zh: {
    known: {
      provider_away: "提供方没有应答，或应答有误。请用密码或令牌登录，或稍后重试。",
      sign_in_refused: "在提供方登录未成功：对方未放行，其应答与请求不符，或您不在任何拥有角色的组中。请重试，或联系管理员。",
      sign_in_expired: "在提供方登录用时过长，或是在另一个浏览器中开始的。请重新开始。"
    },
    other: (code) => `在提供方登录未成功（${code}）。请重试，或联系管理员。`
  }
};
var reasonOf = (code, language) => SAID[language].known[code] ?? SAID[language].other(code);
export {
  reasonOf
};
