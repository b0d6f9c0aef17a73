// What the replay of a policy says.
import { both, count } from "../../words/index.ts";

const many = (n: number, one: string, more: string) => `${count(n)} ${n === 1 ? one : more}`;

export const replayed = both(
  {
    title: "What it would have done",
    ask: "Change a field: the last runs are played again under what is typed here.",
    looked: (runs: number, succeeded: number, failed: number) => `The last ${many(runs, "run", "runs")}: ${count(succeeded)} succeeded, ${count(failed)} failed.`,
    none: "No run has ended yet.",
    same: "All of them would have gone as they did.",
    atOnce: (most: number) => `At most ${count(most)} of them were under way at once.`,
    effects: {
      timed_out: (runs: string, share: string) => `${runs} (${share} %) succeeded, and would be timed out`,
      too_late: (runs: string, share: string) => `${runs} (${share} %) succeeded, and would be past the deadline`,
      not_started: (runs: string, share: string) => `${runs} (${share} %) would not have started in time`,
      failed_instead: (runs: string, share: string) => `${runs} (${share} %) succeeded by a try that they would not get`,
      failed_sooner: (runs: string, share: string) => `${runs} (${share} %) failed, and would fail by fewer tries`,
      tried_again: (runs: string, share: string) => `${runs} (${share} %) failed, and would be tried again`,
      waited: (runs: string, share: string) => `${runs} (${share} %) would wait for room`,
      skipped: (runs: string, share: string) => `${runs} (${share} %) would be skipped`,
    },
    waits: (all: string, longest: string) => `${all} in all, ${longest} at most`,
    unjudged: (fields: string) => `Past runs do not tell what these do: ${fields}.`,
    python: "Show as Python",
    pythonOf: (job: string) => `${job} as Python`,
    pythonSays: "Pasted into the code of an executor, it defines the job as it is now; a function keeps its own body.",
  },
  {
    title: "用在过去会怎样",
    ask: "改动任一字段，即按此处所填重放最近的运行。",
    looked: (runs: number, succeeded: number, failed: number) => `最近 ${count(runs)} 次运行：成功 ${count(succeeded)}，失败 ${count(failed)}。`,
    none: "还没有结束的运行。",
    same: "结果都与当时相同。",
    atOnce: (most: number) => `其中最多有 ${count(most)} 次同时进行。`,
    effects: {
      timed_out: (runs: string, share: string) => `${runs} 次（${share} %）当时成功，将会超时`,
      too_late: (runs: string, share: string) => `${runs} 次（${share} %）当时成功，将会超过期限`,
      not_started: (runs: string, share: string) => `${runs} 次（${share} %）将不能按时开始`,
      failed_instead: (runs: string, share: string) => `${runs} 次（${share} %）当时靠重试成功，将不再有那次重试`,
      failed_sooner: (runs: string, share: string) => `${runs} 次（${share} %）当时失败，将以更少的尝试失败`,
      tried_again: (runs: string, share: string) => `${runs} 次（${share} %）当时失败，将会再试`,
      waited: (runs: string, share: string) => `${runs} 次（${share} %）将会等待空位`,
      skipped: (runs: string, share: string) => `${runs} 次（${share} %）将会被跳过`,
    },
    waits: (all: string, longest: string) => `共 ${all}，最长 ${longest}`,
    unjudged: (fields: string) => `过去的运行无法说明这些改动：${fields}。`,
    python: "显示为 Python",
    pythonOf: (job: string) => `${job} 的 Python 定义`,
    pythonSays: "粘贴到执行器的代码中，即按现状定义该作业；函数体仍由您编写。",
  },
);

export const imported = both({ title: "Import a crontab" }, { title: "导入 crontab" });

/** Fields of the policy that came later. */
export const added = both(
  {
    labels: { weight: "Weight", stop_when_open: "Ask attempts to stop while the breaker is open" } as Record<string, string>,
    help: { weight: "its part of the slots that it shares with other jobs; empty: 1" } as Record<string, string>,
  },
  {
    labels: { weight: "权重", stop_when_open: "熔断器断开时请求进行中的尝试停止" },
    help: { weight: "与其他作业共享槽位时所占的份额；空：1" },
  },
);

export const tried = both(
  {
    title: "Canary",
    of: (version: string, share: string) => `version ${version} gets ${share} % of the runs`,
    none: (version: string) => `version ${version} gets no runs`,
    stopped: "stopped",
    version: "version",
    others: "all others",
    share: "share",
    retrying: "to be tried again",
    rate: "failure rate",
    nobody: "Nothing stops it but a person.",
    above: (share: string, runs: string) => `It is stopped when more than ${share} % of at least ${runs} of its runs fail.`,
    since: "counted since",
    end: "End the trial",
    askEnd: (job: string) => `End the trial of ${job}?`,
    endSays: (version: string) => `Runs go to any version of the code again, ${version} and all others.`,
  },
  {
    title: "金丝雀",
    of: (version: string, share: string) => `版本 ${version} 得到 ${share} % 的运行`,
    none: (version: string) => `版本 ${version} 不再得到运行`,
    stopped: "已停止",
    version: "版本",
    others: "其余版本",
    share: "份额",
    retrying: "待重试",
    rate: "失败率",
    nobody: "只有人能停止它。",
    above: (share: string, runs: string) => `至少 ${runs} 次运行中失败超过 ${share} % 时停止。`,
    since: "统计自",
    end: "结束试用",
    askEnd: (job: string) => `结束 ${job} 的试用？`,
    endSays: (version: string) => `运行重新分给任一代码版本，包括 ${version} 和其余版本。`,
  },
);
