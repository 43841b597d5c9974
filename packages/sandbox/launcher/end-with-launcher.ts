// Preloaded into every child: when the launcher is gone without a word (kill -9), its children end too.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
