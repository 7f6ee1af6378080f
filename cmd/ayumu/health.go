package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func healthCommand() *cobra.Command {
	addr := envOr("AYUMU_METRICS_LISTEN", "127.0.0.1:9222")
	return &cobra.Command{
		Use:   "health [URL]",
		Short: "Check the health of a running server (exit status 0 or 1)",
		Long: "Ask a running server, at its metrics.listen, whether it accepts connections and can write its data.\n" +
			"The default URL is http://" + addr + "/health; AYUMU_METRICS_LISTEN changes the address.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			target := "http://" + addr + "/health"
			if len(args) > 0 {
				target = args[0]
			}
			return askHealth(target, cmd.OutOrStdout())
		},
	}
}

// askHealth writes the server's answer, and returns an error unless the server is healthy.
func askHealth(target string, out io.Writer) error {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || u.Scheme != "http" {
		return fmt.Errorf("%q is not a URL such as http://127.0.0.1:9222/health", target)
	}
	client := http.Client{Timeout: 10 * time.Second}
	r, err := client.Get(target)
	if err != nil {
		return fmt.Errorf("no server answers; is its metrics.listen set? %w", err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(io.LimitReader(r.Body, 4<<10))
	switch {
	case err != nil:
		return err
	case r.StatusCode != http.StatusOK:
		return fmt.Errorf("unhealthy: %s", strings.TrimSpace(string(body)))
	}
	_, err = out.Write(body)
	return err
}
